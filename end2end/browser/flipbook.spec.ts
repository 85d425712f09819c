// The model that draws: words are read while they are typed, and what they name is made.
import { expect, test, type Request } from '@playwright/test';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MADE, SIZES, complaintsOf, offer, seriousViolations, signUp, untilReady } from './support';

test('words are read while they are typed, and stand beside the finished video', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  const prompt = page.getByLabel(/should .* show/);
  const words = page.locator('#prompt-words');
  await prompt.fill('a cat plays the piano, ontologically');
  await expect(words.locator('.word').filter({ hasText: 'cat' })).toBeVisible();
  await expect(words.locator('.word').filter({ hasText: 'piano' })).toBeVisible();
  await expect(words.locator('.word.ignored')).toHaveText('ontologically (not drawn)');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
  }
  await prompt.fill('<img src=x onerror=alert(1)> zebra');
  await expect(words.locator('.word').filter({ hasText: 'zebra' })).toBeVisible();
  await expect(words.locator('img')).toHaveCount(0);

  await prompt.fill('');
  await prompt.pressSequentially('a horse and a pian', { delay: 20 });
  await expect(words.locator('.word').filter({ hasText: 'horse' })).toBeVisible();
  await expect(words.locator('.word').filter({ hasText: 'pian' }), 'after a while the word counts as finished').toBeVisible();
  await prompt.fill('zxqwv blorptang');
  await expect(words).toContainText('Nothing here that Flipbook 1 can make');
  await expect(words.getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page.locator('#prompt-error')).toContainText('Flipbook 1 knows none of these words');
  await expect(prompt).toHaveValue('zxqwv blorptang');
  const anyway = page.getByRole('button', { name: 'Make it anyway' });
  await expect(anyway).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await prompt.fill('a cat plays the piano, ontologically');
  await expect(anyway).toHaveCount(0);
  await page.getByRole('radio', { name: '384 × 384', exact: true }).check();
  await page.getByRole('radio', { name: '2 s', exact: true }).check();
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  await expect(page.locator('video')).toBeVisible(MADE);
  await page.reload();
  await expect(page.locator('.facts .word').filter({ hasText: 'cat' })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  expect(complaints.filter((complaint) => !/422|400/.test(complaint))).toEqual([]);
});

test('a slow answer about half of a word does not replace that about the whole word', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  const isOfHalf = (request: Request) => /a\+cat&.*is_typed=true/.test(request.postData() ?? '');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/read-prompt', async (route) => {
    if (isOfHalf(route.request())) await released;
    await route.continue();
  });
  const words = page.locator('#prompt-words');
  const asked = page.waitForRequest(isOfHalf);
  await page.getByLabel(/should .* show/).pressSequentially('a cat');
  await asked;
  await expect(words.locator('.word').filter({ hasText: 'cat' })).toBeVisible();
  const shown = await words.evaluateHandle((node) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(node.textContent ?? '')).observe(node, { childList: true });
    return texts;
  });
  const late = page.waitForResponse((response) => isOfHalf(response.request()));
  release();
  await (await late).finished();
  // That one has been looked at when the answer to another prompt is shown.
  await page.getByLabel(/should .* show/).fill('a cat and a dog and a fox');
  await expect(words.locator('.word').filter({ hasText: 'fox' })).toBeVisible();
  for (const text of await shown.jsonValue()) expect(text).toContain('cat');
});

/** A folder with the same models, of which Vignette says that it knows two words. */
function withVignetteOfTwoWords(): string {
  const [all, own] = [process.env.REELMILL_MODELS!, mkdtempSync(join(tmpdir(), 'models-'))];
  for (const model of readdirSync(all).filter((model) => model !== 'vignette-1')) symlinkSync(join(all, model), join(own, model));
  const [from, to] = [join(all, 'vignette-1'), join(own, 'vignette-1')];
  mkdirSync(to);
  for (const file of readdirSync(from).filter((file) => file !== 'manifest.json')) symlinkSync(join(from, file), join(to, file));
  const manifest = JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8'));
  writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, understands: { words: { known: ['sea', 'sunset'], most: 24 } } }));
  return own;
}

test('where the chosen model understands nothing, one button chooses another, and one has it made all the same', async ({ page }) => {
  const models = withVignetteOfTwoWords();
  try {
    await offer(models);
    await signUp(page);
    const [model, prompt, words] = [page.getByLabel('Model', { exact: true }), page.getByLabel(/should .* show/), page.locator('#prompt-words')];
    const typed = async () => {
      await page.goto('/create');
      await untilReady(page);
      await model.selectOption('vignette-1');
      await prompt.fill('a cat plays the piano');
      return words.getByRole('button', { name: 'Use Flipbook 1' }).isVisible();
    };
    // Catalogs are read again now and then.
    await expect.poll(typed).toBe(true);
    await page.getByText('More settings').click();
    await page.getByLabel('Seed', { exact: true }).fill('7');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      expect(await seriousViolations(page)).toEqual([]);
    }
    await words.getByRole('button', { name: 'Use Flipbook 1' }).click();
    await expect(model).toHaveValue('flipbook-1');
    await expect(model).toBeFocused();
    await expect(prompt).toHaveValue('a cat plays the piano');
    await expect(page.getByLabel('Seed', { exact: true })).toHaveValue('7');
    await expect(words).not.toContainText('Nothing here');

    await model.selectOption('vignette-1');
    await prompt.press('Control+Enter');
    await page.getByRole('button', { name: 'Make it anyway' }).click();
    await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('a cat plays the piano');
  } finally {
    await offer(process.env.REELMILL_MODELS!);
    rmSync(models, { recursive: true });
  }
});
