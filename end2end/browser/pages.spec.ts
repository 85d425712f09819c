// Every page: readable in both themes and at both ends of the width, no complaint from axe or the console.
import { expect, test, type Page } from '@playwright/test';
import { ask, atBothSizes, complaintsOf, seriousViolations, signUp, untilCompleted, untilReady } from './support';

const PUBLIC = ['/', '/signin', '/signup', '/forgot-password', '/reference', '/no-such-page'];

async function check(page: Page, path: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(path, { waitUntil: 'load' });
      const place = `${path}, ${colorScheme}, ${width} px`;
      expect(await page.locator('h1').count(), `one heading on ${place}`).toBe(1);
      expect(await page.title(), `a title on ${place}`).toContain('Reelmill');
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `no sideways scrolling on ${place}`).toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), `axe on ${place}`).toEqual([]);
    }
  }
}

test('public pages', async ({ page }) => {
  const complaints = complaintsOf(page);
  for (const path of PUBLIC) await check(page, path);
  expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
});

test('the fields of a key stand under each other without a hole between them', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUp(page);
  for (const width of [1440, 1000, 760, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/keys');
    const hint = (await page.locator('#expires-hint').boundingBox())!;
    const label = (await page.locator('label[for=requests]').boundingBox())!;
    expect(label.x, `${width} px`).toBe(hint.x);
    expect(label.y - hint.y - hint.height, `${width} px`).toBeGreaterThanOrEqual(0);
    expect(label.y - hint.y - hint.height, `${width} px`).toBeLessThanOrEqual(32);
  }
});

test('the events of a webhook endpoint stand in one line where there is room', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUp(page);
  await page.goto('/webhooks');
  const tops = await page.locator('.events [type=checkbox]').evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect().top));
  expect(tops.length).toBeGreaterThan(1);
  expect(new Set(tops).size, tops.join(' ')).toBe(1);
});

test('what an endpoint answered wraps beside its event, which does not', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUp(page);
  await page.goto('/webhooks');
  const wrapping = await page.evaluate(() => {
    const rows = '<tr><th><a href="#">batch.cancelled</a></th><td class="wraps">The host has no address.</td></tr>';
    document.querySelector('main')!.insertAdjacentHTML('beforeend', `<section class="deliveries"><table><tbody>${rows}</tbody></table></section>`);
    return ['th > a', 'td.wraps'].map((cell) => getComputedStyle(document.querySelector(`.deliveries ${cell}`)!).whiteSpace);
  });
  expect(wrapping).toEqual(['nowrap', 'normal']);
});

test('pages of a signed-in user', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  for (const path of ['/create', '/library', '/queue', '/batches', '/keys', '/webhooks', '/team', '/security']) await check(page, path);
  const id = await ask(page, 'hills at dawn', { Steps: '2' });
  await untilCompleted(page);
  for (const path of [`/videos/${id}`, '/library']) await check(page, path);
  expect(complaints).toEqual([]);
});

test('the first load of the public pages stays under 300 KiB', async ({ page }) => {
  for (const path of ['/', '/signin', '/signup']) {
    let bytes = 0;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
    await page.goto(path, { waitUntil: 'networkidle' });
    await session.detach();
    expect(bytes, `bytes loaded by ${path}`).toBeLessThanOrEqual(300 * 1024);
  }
});

test('the keyboard alone makes a video', async ({ page }) => {
  await signUp(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('What should the video show?')).toBeFocused();
  await page.keyboard.type('the desert at sunset');
  const submit = page.getByRole('button', { name: 'Make the video' });
  for (let presses = 0; presses < 40 && !(await submit.evaluate((node) => node === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/videos\/job_/);
  await untilCompleted(page);
});

atBothSizes('the reference gives the ranges of the catalog', async (page) => {
  const { properties } = (await (await page.request.get('/openapi.json')).json()).components.schemas.CreateVideo;
  await page.goto('/reference');
  for (const name of ['steps', 'guidance', 'seed']) {
    const { minimum, maximum } = properties[name];
    expect([typeof minimum, typeof maximum], name).toEqual(['number', 'number']);
    await expect(page.locator('main')).toContainText(new RegExp(`${name}.*from ${minimum}(\\.0)? to ${maximum}(\\.0)?(?!\\d)`, 's'));
  }
});

test('what others wrote is shown as text', async ({ page }) => {
  const complaints = complaintsOf(page);
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await signUp(page);
  const hostile = `</title></textarea><meta http-equiv=refresh content="0;url=/nowhere"></script><script>alert(1)</script><img src=x onerror=alert(2)>"'\`{{7*7}} \u202e end`;
  const id = await ask(page, hostile, { Steps: '1' });
  await untilCompleted(page);
  expect(await page.title()).toContain('</title></textarea>');
  await expect(page.locator('h1')).toContainText('<script>alert(1)</script>');
  await page.goto('/library');
  await expect(page.locator('.clip-title').first()).toContainText('<meta http-equiv=refresh');
  await page.goto(`/create?from=${id}`);
  await expect(page.getByLabel('What should the video show?')).toHaveValue(hostile);
  await untilReady(page);
  expect(page.url()).toContain('/create');
  expect([dialogs, complaints]).toEqual([0, []]);
});
