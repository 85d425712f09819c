// Batches: a table is sent, mended, quoted, started, watched and taken away; with a script and without one.
import { expect, test, type Page } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import { MADE, PASSWORD, atBothSizes, complaintsOf, freshMail, hurryUntil, seriousViolations, signUp, untilReady } from './support';

const FIELDS = { seconds: '2', steps: '2', size: '96x96', model: 'vignette-1' };
const HEAD = `prompt,custom_id,${Object.keys(FIELDS).join(',')}`;

/** A table with these prompts. */
function table(prompts: string[]): string {
  const rows = prompts.map((prompt, at) => `"${prompt}",clip-${at + 1},${Object.values(FIELDS).join(',')}`);
  return [HEAD, ...rows].join('\r\n');
}

async function send(page: Page, name: string, text: string): Promise<void> {
  await page.goto('/batches');
  await page.getByLabel('File of prompts').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Get a quote' }).click();
}

async function expectInOrder(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours change little by little.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
    expect(await seriousViolations(page), `axe on ${page.url()}, ${colorScheme}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'no sideways scrolling').toBeLessThanOrEqual(0);
  }
  expect(await page.locator('h1').count()).toBe(1);
}

test('a file that is dropped on the box is sent', async ({ page }, info) => {
  await signUp(page);
  await page.goto('/batches');
  const file = info.outputPath('dropped.csv');
  await writeFile(file, table(['hills at dawn']));
  const box = (await page.getByLabel('File of prompts').boundingBox())!;
  // At its edge, where there is neither its button nor its name.
  const [x, y] = [box.x + box.width - 6, box.y + 6];
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await page.getByRole('button', { name: 'Get a quote' }).click();
  await expect(page.getByRole('heading', { name: 'dropped.csv' })).toBeVisible();
});

atBothSizes('a table is quoted, started, watched and taken away', async (page) => {
  const complaints = complaintsOf(page);
  await page.clock.install();
  await signUp(page);
  await page.goto('/batches');
  await expect(page.getByRole('heading', { name: 'How a file looks' })).toBeVisible();
  await expectInOrder(page);

  await send(page, 'wrong.csv', 'prompt,colour\nsea,blue\n');
  await expect(page.getByRole('alert')).toContainText('There is no field colour');
  await expectInOrder(page);

  await send(page, 'wrong size.csv', 'prompt,size\nsea,\nsun,1x1\n');
  await expect(page).toHaveURL(/\/batches\/batch_[0-9a-f]{32}$/);
  await untilReady(page);
  await hurryUntil(page, () => page.getByRole('heading', { name: 'What is wrong' }).isVisible());
  await expect(page.getByRole('row', { name: /Line 3/ })).toContainText('size_unsupported');
  await expectInOrder(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'discarded' })).toBeVisible();

  await send(page, 'סרטים.csv', table(['hills at dawn', 'הים בלילה', 'the desert at sunset']));
  await untilReady(page);
  await hurryUntil(page, () => page.getByRole('button', { name: 'Start' }).isVisible());
  const quote = page.url();
  await expect(page.getByRole('heading', { name: 'סרטים.csv' })).toBeVisible();
  await expect(page.locator('main')).toContainText('3 videos');
  await expectInOrder(page);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page).not.toHaveURL(quote);
  await untilReady(page);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await hurryUntil(page, async () => (await page.locator('.sheet .clip').count()) === 3 && (await page.getByRole('link', { name: 'Output file' }).isVisible()));
  expect(await page.evaluate(() => 'sameDocument' in globalThis), 'without a reload').toBe(true);
  await expect(page.getByRole('img', { name: /3 done/ })).toBeVisible();
  await expectInOrder(page);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all as a zip' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^batch_[0-9a-f]{32}\.zip$/);
  await page.goto('/batches');
  await expect(page.getByRole('row', { name: /סרטים\.csv/ }).first()).toBeVisible();
  await expectInOrder(page);
  expect(complaints).toEqual([]);
});

test('a batch is cancelled by the keyboard alone', async ({ page }) => {
  await signUp(page);
  await send(page, 'many.csv', table(Array.from({ length: 200 }, (_, at) => `number ${at}`)));
  await expect(page).toHaveURL(/\/batches\/batch_[0-9a-f]{32}$/);
  const quote = page.url();
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Start' })).toBeVisible({ timeout: 1_000 });
  }).toPass(MADE);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page).not.toHaveURL(quote);
  // One that is cancelled while it is read has no lines.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('img', { name: /^Of 200 lines/ })).toBeVisible({ timeout: 1_000 });
  }).toPass(MADE);
  await untilReady(page);
  await page.getByRole('button', { name: 'Cancel the batch' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel it' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toContainText(/Being cancelled|Cancelled/);
  await expect(async () => {
    await page.reload();
    await expect(page.locator('main')).toContainText('Cancelled.', { timeout: 1_000 });
  }).toPass(MADE);
  await expect(page.getByRole('heading', { name: 'Not made' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try .* lines? again$/ })).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a table is quoted and started', async ({ page }) => {
    await page.goto('/signup');
    await page.locator('input[name=email]').fill(freshMail());
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('main form button:not([type=button])').click();
    await expect(page).toHaveURL(/\/create$/);
    await send(page, 'one.csv', table(['hills at dawn']));
    await expect(page).toHaveURL(/\/batches\/batch_/);
    await expect(async () => {
      await page.reload();
      await expect(page.locator('form[action="/api/start-batch"] button')).toBeVisible({ timeout: 1_000 });
    }).toPass(MADE);
    const quote = page.url();
    await page.locator('form[action="/api/start-batch"] button').click();
    await expect(page).not.toHaveURL(quote);
    await expect(async () => {
      await page.reload();
      await expect(page.locator('.sheet .clip')).toHaveCount(1, { timeout: 1_000 });
    }).toPass(MADE);
  });
});
