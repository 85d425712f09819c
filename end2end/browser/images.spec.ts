// A second model, of another family, beside the first: from the form to the file, and gone with its folder.
import { expect, test, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MADE, SIZES, complaintsOf, offer, seriousViolations, signUp, untilReady } from './support';

const IMAGES = 'tiny-1';

/** Asks the public API as a program does, with a key of the account. */
function apiOf(page: Page, mail: string) {
  const words = ['admin', '--data', process.env.REELMILL_DATA!, 'key', 'create', '--user', mail, '--name', 'images'];
  const key = execFileSync(process.env.REELMILL_BIN!, words, { encoding: 'utf8' }).trim();
  const headers = { authorization: `Bearer ${key}` };
  return {
    get: (path: string) => page.request.get(path, { headers }),
    post: (path: string, data: object) => page.request.post(path, { headers, data }),
  };
}

async function choices(page: Page): Promise<string[]> {
  await page.goto('/create');
  return page.locator('#model option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
}

test('a second model makes images in the form and in the API, and is gone with its folder', async ({ page }) => {
  const complaints = complaintsOf(page);
  const mail = await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption(IMAGES);
  await expect(page.getByRole('radio', { name: '32 × 32', exact: true })).toBeChecked();
  await expect(page.getByRole('group', { name: 'Length' })).toHaveCount(0);
  await page.getByRole('radio', { name: '64 × 32', exact: true }).check();
  await page.getByText('More settings').click();
  await page.getByLabel('Steps', { exact: true }).fill('8');
  await page.getByLabel('Model', { exact: true }).selectOption('vignette-1');
  await expect(page.getByRole('radio', { name: '384 × 384', exact: true })).toBeChecked();
  await expect(page.getByLabel('Steps', { exact: true }), 'other steps would be meant').toHaveValue('');
  await expect(page.locator('.ticket output').first()).toHaveText('2');
  await page.getByLabel('Model', { exact: true }).selectOption(IMAGES);
  await expect(page.getByRole('radio', { name: '64 × 32', exact: true })).toBeChecked();
  await expect(page.getByLabel('Steps', { exact: true })).toHaveValue('8');
  await page.getByLabel('Steps', { exact: true }).fill('');
  await expect(page.locator('.ticket output').first()).toHaveText('0.5');
  await page.getByLabel(/should .* show/).fill('a pebble');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Make the image' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  const shown = page.locator('img.finished');
  await expect(shown).toBeVisible(MADE);
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([64, 32]);
  expect(await seriousViolations(page)).toEqual([]);
  const path = new URL(page.url()).pathname;
  await page.goto('/library');
  await expect(page.locator(`a[href="${path}"] img`)).toBeVisible();
  await expect(page.locator(`a[href="${path}"] .clip-kind`)).toHaveText('Image');
  const fits = await page.locator(`a[href="${path}"] img`).evaluate((image) => getComputedStyle(image).objectFit);
  expect(fits, 'all of a wide image is shown').toBe('contain');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
  }
  // The start page waits for the catalog but a moment.
  await expect(async () => {
    await page.goto('/');
    await expect(page.locator('.hero .lead')).toContainText('Reelmill makes videos and images from text', { timeout: 1_000 });
  }).toPass();

  const api = apiOf(page, mail);
  expect((await (await api.get('/v1/models')).json()).data.map((model: { id: string }) => model.id)).toContain(IMAGES);
  const asked = { model: IMAGES, prompt: 'a pebble', seed: 7 };
  const { id } = await (await api.post('/v1/videos', asked)).json();
  const status = async () => (await (await api.get(`/v1/videos/${id}`)).json()).status;
  await expect.poll(status, MADE).toBe('completed');
  const file = await api.get(`/v1/videos/${id}/content`);
  expect(file.headers()['content-type']).toBe('image/webp');

  const all = process.env.REELMILL_MODELS!;
  const others = mkdtempSync(join(tmpdir(), 'models-'));
  try {
    for (const model of readdirSync(all).filter((model) => model !== IMAGES)) symlinkSync(join(all, model), join(others, model));
    await offer(others);
    await expect.poll(() => choices(page)).not.toContain(IMAGES);
    expect((await api.get(`/v1/models/${IMAGES}`)).status()).toBe(404);
    const refused = await api.post('/v1/videos', asked);
    expect([refused.status(), (await refused.json()).error.code]).toEqual([400, 'model_not_found']);
    expect(await (await page.request.get('/openapi.json')).text()).not.toContain(IMAGES);
    await page.goto(path);
    await expect(shown).toBeVisible();
    await expect(page.locator('.actions').getByText('not on offer any more')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Vary' })).toHaveCount(0);
  } finally {
    await offer(all);
    rmSync(others, { recursive: true });
  }
  await expect.poll(() => choices(page)).toContain(IMAGES);
  expect(complaints).toEqual([]);
});

test('without a script, choosing the other model says what it has before anything is charged', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await signUp(page);
  await page.getByLabel('Model', { exact: true }).selectOption(IMAGES);
  await page.getByLabel(/should .* show/).fill('a pebble');
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page.locator('.notice')).toContainText('Tiny 1 has other sizes and lengths: 32 × 32 is chosen now. Nothing has been charged');
  await expect(page.locator('.error').filter({ hasText: /\S/ })).toHaveCount(0);
  await expect(page.getByRole('radio', { name: '32 × 32', exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Make the image' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  await page.context().close();
});

test('without a script, what is wrong in a folded field is said at the top', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await signUp(page);
  await page.getByLabel(/should .* show/).fill('a pebble');
  await page.getByText('More settings').click();
  await page.getByLabel('Steps', { exact: true }).fill('0');
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page.locator('.notice').first()).toContainText('Nothing was made, and nothing charged. Steps must be');
  await page.context().close();
});
