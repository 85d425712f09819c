// The library and the queue: cards that keep up, pages in both directions, many jobs taken back at once.
import { expect, test, type Page } from '@playwright/test';
import { MADE, SLOW, atBothSizes, ask, cancelEverything, complaintsOf, hurryUntil, seriousViolations, signUp, untilCompleted, untilReady } from './support';

/** Sends the create form without opening it, as another tab or a program would. */
async function submitElsewhere(page: Page, prompt: string, steps = '200'): Promise<string> {
  const answer = await page.request.post('/api/submit-video', {
    headers: { accept: 'application/json' },
    form: { 'request[prompt]': prompt, 'request[steps]': steps, 'request[size]': '96x96' },
  });
  expect(answer.status()).toBe(200);
  return answer.json();
}

atBothSizes('a card says when and how far', async (page) => {
  await signUp(page);
  const id = await ask(page, 'snow at night', SLOW);
  await page.goto('/library');
  const card = page.locator(`#card-${id}`);
  await expect(card.locator('.badge')).toHaveText(/^In progress · \d+ %$/);
  await expect(card.locator('.clip-kind')).toHaveText('Video · 2 s');
  await expect(card.locator('time')).toHaveText(/\d{1,2}:\d\d/);
  expect(await seriousViolations(page)).toEqual([]);
  await cancelEverything(page);
});

atBothSizes('what was asked for elsewhere appears in an open library', async (page) => {
  const complaints = complaintsOf(page);
  await page.clock.install();
  await signUp(page);
  await page.goto('/library');
  await untilReady(page);
  await expect(page.getByText('Nothing here yet')).toBeVisible();
  const first = await submitElsewhere(page, 'the first one', '1');
  await hurryUntil(page, () => page.locator(`#card-${first} [data-clip]`).isVisible());
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  const second = await submitElsewhere(page, 'the second one', '1');
  await hurryUntil(page, () => page.locator(`#card-${second}`).isVisible());
  expect(await page.locator('.grid > li').evaluateAll((cards) => cards.map((card) => card.id))).toEqual([`card-${second}`, `card-${first}`]);
  expect(await page.evaluate(() => 'sameDocument' in globalThis), 'without a reload').toBe(true);
  expect(complaints).toEqual([]);
});

atBothSizes('all that waits is taken back after a question that says how much it is', async (page) => {
  await signUp(page);
  // More than a worker takes at once.
  for (let count = 0; count < 40; count += 1) await submitElsewhere(page, `number ${count}`);
  await page.goto('/library');
  await untilReady(page);
  await page.getByRole('button', { name: /Cancel all waiting videos/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/\d+ waiting videos?/);
  await expect(dialog).toContainText(/[\d.]+ video-seconds/);
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel them' }).click();
  await expect(page).toHaveURL(/\/library$/);
  await expect(page.getByRole('button', { name: /Cancel all waiting videos/ })).toHaveCount(0);
  await expect(page.locator('.screen.cancelled').first()).toBeVisible();
  await cancelEverything(page);
});

test('an open library stays as long as its page', async ({ page }) => {
  await page.clock.install();
  await signUp(page);
  for (let count = 0; count < 24; count += 1) await submitElsewhere(page, `number ${count}`);
  await cancelEverything(page);
  await page.goto('/library');
  await untilReady(page);
  const id = await submitElsewhere(page, 'one more', '1');
  await hurryUntil(page, () => page.locator(`#card-${id}`).isVisible());
  await expect(page.locator('.grid > li')).toHaveCount(24);
  await expect(page.getByText('number 0', { exact: true })).toHaveCount(0);
});

atBothSizes('pages go back and forth', async (page) => {
  await signUp(page);
  for (let count = 0; count < 50; count += 1) await submitElsewhere(page, `number ${count}`);
  await cancelEverything(page);
  await page.goto('/library');
  const titles = () => page.locator('.clip-title').allInnerTexts();
  await expect(page.locator('.clip-title')).toHaveCount(24);
  const first = await titles();
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(page).toHaveURL(/after=/);
  await expect(page.locator('.clip-title').last()).not.toHaveText(first[23]);
  await expect(page.locator('.clip-title')).toHaveCount(24);
  const second = await titles();
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(page.locator('.clip-title')).toHaveCount(2);
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(page).toHaveURL(/before=/);
  await expect(page.locator('.clip-title')).toHaveText(second);
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(page.locator('.clip-title').first()).toHaveText(first[0]);
  await expect(page.locator('.clip-title')).toHaveCount(24);
  expect((await titles()).sort()).toEqual(first.sort());
});

atBothSizes('deleting a card leads the focus to the next one', async (page) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  const ids: string[] = [];
  for (const prompt of ['one', 'two', 'three']) ids.unshift(await submitElsewhere(page, prompt, '1'));
  await page.goto('/library');
  await untilReady(page);
  for (const id of ids) await expect(page.locator(`#card-${id} [data-clip]`)).toBeVisible(MADE);
  const remove = async (prompt: string) => {
    await page.getByRole('button', { name: `Delete: ${prompt}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  };
  await remove('two');
  await expect(page.locator(`#card-${ids[1]}`)).toHaveCount(0);
  await expect(page.locator(`#card-${ids[2]} .clip-link`)).toBeFocused();
  await remove('one');
  await expect(page.locator(`#card-${ids[0]} .clip-link`)).toBeFocused();
  await remove('three');
  await expect(page.getByText('Nothing here yet')).toBeVisible();
  // A clip that was just playing may ask for more of a file that is gone.
  expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
});

test('the header is as wide as the content on a very wide screen', async ({ page }) => {
  await signUp(page);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.goto('/library');
  const left = (selector: string) => page.locator(selector).evaluate((node) => node.getBoundingClientRect().left);
  const right = (selector: string) => page.locator(selector).evaluate((node) => node.getBoundingClientRect().right);
  expect(Math.abs((await left('.brand')) - (await left('h1')))).toBeLessThan(2);
  expect(Math.abs((await right('.header-end')) - (await right('.page-head')))).toBeLessThan(6);
});

atBothSizes('a dialog closes beside it and by Escape, and gives the focus back', async (page) => {
  await signUp(page);
  const id = await submitElsewhere(page, 'one', '1');
  await page.goto(`/videos/${id}`);
  await untilCompleted(page);
  await untilReady(page);
  const opener = page.getByRole('button', { name: 'Delete this video' });
  const dialog = page.getByRole('dialog');
  for (const close of [() => page.mouse.click(4, 4), () => page.keyboard.press('Escape')]) {
    await opener.click();
    await expect(dialog).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  }
  const menu = page.locator('.menu summary');
  await menu.click();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Plan and credit' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await page.getByRole('button', { name: 'Copy the id' }).click();
  await expect(page.locator('#spoken')).toHaveText('Copied');
});

test('Copy beside code copies the code', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/reference');
  await untilReady(page);
  const figure = page.locator('figure.code').first();
  await figure.getByRole('button', { name: 'Copy' }).click();
  await expect(page.locator('#spoken')).toHaveText('Copied');
  const code = await figure.locator('code').textContent();
  expect(code).toContain('client.videos.create_and_poll');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test('without a network, Delete and Create key stay where they are and lose nothing', async ({ page }) => {
  await signUp(page);
  const id = await submitElsewhere(page, 'one', '1');
  await page.goto('/library');
  await untilReady(page);
  await page.route('**/api/{delete-video,create-key}', (route) => route.abort('internetdisconnected'));
  await page.locator(`#card-${id}`).getByRole('button', { name: /^Delete/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached');
  await page.unroute('**/api/{delete-video,create-key}');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator(`#card-${id}`)).toHaveCount(0);

  await page.goto('/keys');
  await untilReady(page);
  await page.route('**/api/create-key', (route) => route.abort('internetdisconnected'));
  await page.getByLabel('Name of the new key').fill('my program');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached');
  await expect(page.getByLabel('Name of the new key')).toHaveValue('my program');
  expect(await seriousViolations(page)).toEqual([]);
  await page.unroute('**/api/create-key');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key: my program' })).toBeVisible();
});

test('without a network, deleting on the page of a video and revoking a key stay where they are', async ({ page }) => {
  await signUp(page);
  await page.goto('/keys');
  await untilReady(page);
  await page.getByLabel('Name of the new key').fill('my program');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key: my program' })).toBeVisible();
  const id = await submitElsewhere(page, 'one', '1');
  for (const [path, opens, yes, leadsTo] of [
    ['/keys', 'Revoke my program', 'Revoke', /\/keys$/],
    [`/videos/${id}`, 'Delete this video', 'Delete', /\/library$/],
  ] as const) {
    await page.goto(path);
    await untilReady(page);
    await page.route('**/api/{delete-video,revoke-key}', (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: opens }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: yes }).click();
    await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached');
    await page.unroute('**/api/{delete-video,revoke-key}');
    await dialog.getByRole('button', { name: yes }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(leadsTo);
  }
});

atBothSizes('an open queue keeps up, and what waits is moved to the front and taken back', async (page) => {
  const complaints = complaintsOf(page);
  await page.clock.install();
  await signUp(page);
  await page.goto('/queue');
  await untilReady(page);
  await expect(page.getByText('Nothing of yours waits or is being made.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  // More than a worker takes at once.
  let last = '';
  for (let count = 0; count < 40; count += 1) last = await submitElsewhere(page, `number ${count}`);
  await hurryUntil(page, () => page.locator(`#queued-${last}`).isVisible());
  expect(await page.evaluate(() => 'sameDocument' in globalThis), 'without a reload').toBe(true);
  expect(await seriousViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.getByRole('button', { name: 'Move to the front: number 39' }).click();
  await expect(page).toHaveURL(/\/queue#queued-/);
  await expect(page.getByRole('button', { name: 'Move up: number 39' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Cancel all that wait' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel them' }).click();
  await expect(page).toHaveURL(/\/queue$/);
  await expect(page.getByRole('button', { name: 'Cancel all that wait' })).toHaveCount(0);
  expect(complaints).toEqual([]);
  await cancelEverything(page);
});
