// The operator's overview: its sections, its charts and their tables, at both sizes and in both themes.
import { expect, test } from '@playwright/test';
import { ask, atBothSizes, complaintsOf, seriousViolations, signInAsOperator, untilCompleted, untilReady } from './support';

atBothSizes('the overview shows workers, models, work, times and requests, and its charts in words', async (page, { width }) => {
  const complaints = complaintsOf(page);
  await signInAsOperator(page);
  await ask(page, 'hills at dawn', { Steps: '2' });
  await untilCompleted(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // A machine that stood still for seconds keeps parts from being read in time, and its worker from saying that it is there.
    await expect(async () => {
      await page.goto('/admin');
      await expect(page.getByText('could not be read just now')).toHaveCount(0, { timeout: 1_000 });
      await expect(page.locator('section[aria-labelledby=workers] tbody tr').first()).toContainText(/ready|busy/, { timeout: 1_000 });
    }).toPass();
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    for (const name of ['Workers', 'Models', 'Queue', 'Latency', 'Failures', 'Slow requests', 'Rows that cannot be read']) {
      await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `no sideways scrolling, ${colorScheme}`).toBeLessThanOrEqual(0);
    expect(await seriousViolations(page), colorScheme).toEqual([]);
  }
  await expect(page.locator('section[aria-labelledby=requests] tbody tr').first()).toContainText(/ ms/);
  await expect(page.locator('section[aria-labelledby=models] tbody tr', { hasText: 'vignette-1' })).toContainText(/video.*384 × 384.*yes/s);

  const chart = page.getByRole('img', { name: /^Finished by hour .*video-second/ });
  await expect(chart).toBeVisible();
  const figure = page.locator('figure', { has: chart });
  await figure.getByText('As a table').click();
  const values = await figure.locator('tbody td').allInnerTexts();
  expect(values.length, 'a row for each hour').toBe(24);
  expect(values.map((value) => parseFloat(value.replace(',', ''))).reduce((sum, value) => sum + value), values.join(' ')).toBeGreaterThan(0);
  const minor = figure.locator('.chart-labels .minor').first();
  if (width < 704) await expect(minor).toBeHidden();
  else await expect(minor).toBeVisible();
  await expect(page.getByRole('img', { name: /^From submitting to done / })).toBeVisible();
  expect(await seriousViolations(page), 'with a table open').toEqual([]);
  expect(complaints).toEqual([]);
});

atBothSizes('a place of a chart that is pointed at or tapped shows its values beside it, within the page', async (page, { width }) => {
  await signInAsOperator(page);
  await ask(page, 'mist over a lake', { Steps: '2' });
  await untilCompleted(page);
  await page.goto('/admin');
  const places = page.locator('figure', { has: page.getByRole('img', { name: /^Finished by hour / }) }).locator('.chart-place');
  await expect(places).toHaveCount(24);
  for (const place of [places.first(), places.nth(11), places.nth(12), places.last()]) {
    const tip = place.locator('.chart-tip');
    await expect(tip).toBeHidden();
    await place.hover();
    await expect(tip).toBeVisible();
    await expect(tip).toHaveText(/^\d\d:00 \([^)]+\): [\d.,]+$/);
    const { x, width: wide } = (await tip.boundingBox()) ?? { x: -1, width: 0 };
    expect([x >= 0, x + wide <= width], `from ${x}, ${wide} wide`).toEqual([true, true]);
  }
  await page.mouse.move(0, 0);
  await places.first().focus();
  await expect(places.first().locator('.chart-tip'), 'one that was tapped has the focus').toBeVisible();
  await expect(places.last().locator('.chart-tip')).toBeHidden();
  expect(await seriousViolations(page), 'with the values of a place').toEqual([]);
});

atBothSizes('charts are drawn under forced colours', async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signInAsOperator(page);
  await ask(page, 'rain over the city', { Steps: '2' });
  await untilCompleted(page);
  await page.goto('/admin');
  const [bars, paper] = await page
    .locator('.chart-bars')
    .first()
    .evaluate((node) => [getComputedStyle(node).fill, getComputedStyle(document.documentElement).backgroundColor]);
  expect(bars).not.toBe(paper);
  expect(bars).not.toBe('none');
  // The colours are the system's here; axe compares those that the style sheet names.
  expect(await seriousViolations(page, ['color-contrast'])).toEqual([]);
});

atBothSizes('ledger, refunds and promo codes are read and typed into at both widths', async (page) => {
  const complaints = complaintsOf(page);
  await signInAsOperator(page);
  await ask(page, 'snow in the forest', { Steps: '2' });
  await untilCompleted(page);
  const job = page.url().split('/').pop() ?? '';
  await page.goto('/admin/promo');
  await page.getByLabel('Video-seconds that it gives').fill('60');
  await page.getByRole('button', { name: 'Make the code' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is made.' })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/admin/ledger', `/admin/refunds?job=${job}`, '/admin/promo', '/admin/queue', '/admin/fleet', '/admin/capacity', '/plan', '/keys']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path}, ${colorScheme}`).toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), `${path}, ${colorScheme}`).toEqual([]);
    }
  }
  await page.goto('/admin/ledger');
  await page.getByRole('button', { name: 'Check the whole ledger' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The ledger is true' })).toBeVisible();
  expect(complaints).toEqual([]);
});

atBothSizes('state, numbers and requests are read at both widths', async (page) => {
  const complaints = complaintsOf(page);
  await signInAsOperator(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/admin/status', '/admin/readiness', '/admin/alerts', '/admin/latency', '/admin/requests', '/overview', '/requests']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path}, ${colorScheme}`).toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), `${path}, ${colorScheme}`).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
});

atBothSizes('models are read and how they are kept is changed at both widths', async (page) => {
  const complaints = complaintsOf(page);
  await signInAsOperator(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/admin/models', '/admin/models?model=vignette-1']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path}, ${colorScheme}`).toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), `${path}, ${colorScheme}`).toEqual([]);
    }
  }
  await page.getByLabel('Pinned on so many workers').fill('many');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Give a number of workers from 0 to 10,000')).toBeVisible();
  await page.getByLabel('Pinned on so many workers').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Workers follow within seconds' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a rule that is only tried is not added', async ({ page }) => {
  await signInAsOperator(page);
  await page.goto('/admin/alerts');
  await untilReady(page);
  const form = page.locator('form[action="/api/save-alert"]');
  await form.getByLabel('Name', { exact: true }).fill('Only tried');
  await form.getByLabel('Number', { exact: true }).selectOption('total_p95');
  await form.getByLabel('Value, in the unit of the number').fill('5');
  await form.getByLabel('Window, in minutes', { exact: true }).fill('60');
  await form.getByRole('button', { name: 'Try it on the last days' }).click();
  await expect(page.getByRole('status').filter({ hasText: /would (not )?have fired|Nothing is kept/ })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Only tried');
  await expect(page.getByRole('row', { name: /Only tried/ })).toHaveCount(0);
});

atBothSizes('a page of the operator leads to all others, says which one it is, and leaves the menu short', async (page, { height }) => {
  await signInAsOperator(page);
  await page.goto('/admin/alerts');
  const bar = page.getByRole('navigation', { name: 'Operator’s pages' });
  await expect(bar.getByRole('link')).toHaveCount(18);
  await expect(bar.locator('[aria-current=page]')).toHaveText('Alerts');
  await bar.getByRole('link', { name: 'Readiness' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/readiness$/);
  await expect(bar.locator('[aria-current=page]')).toHaveText('Readiness');
  for (const path of ['/admin/requests', '/admin/models', '/admin/promo', '/admin/readiness']) {
    await page.goto(path);
    const current = (await bar.locator('[aria-current=page]').boundingBox())!;
    const room = await page.evaluate(() => document.documentElement.clientWidth);
    expect(current.x, `${path}: the page that is looked at is in sight`).toBeGreaterThanOrEqual(0);
    expect(current.x + current.width, `${path}: the page that is looked at is in sight`).toBeLessThanOrEqual(room);
  }
  await page.getByLabel(/^Account of/).click();
  const menu = page.locator('.menu-body');
  await expect(menu.getByRole('link', { name: 'Operator' })).toHaveAttribute('href', '/admin');
  const box = (await menu.boundingBox())!;
  expect(box.y + box.height, 'the menu fits into the window').toBeLessThanOrEqual(height);
});

test('a list of rows on a phone has no label without a value, and none beside a button that says the same', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAsOperator(page);
  for (const path of ['/admin', '/admin/models', '/admin/queue', '/admin/alerts', '/admin/plans', '/batches']) {
    await page.goto(path);
    const odd = await page.locator('td[data-head]').evaluateAll((cells) =>
      cells
        .filter((cell) => cell.getClientRects().length > 0 && !cell.querySelector('svg'))
        .map((cell) => [cell.getAttribute('data-head'), (cell.textContent ?? '').trim()])
        .filter(([head, text]) => text === '' || text === head),
    );
    expect(odd, path).toEqual([]);
  }
});
