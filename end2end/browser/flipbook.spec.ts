// The model that draws: words are read while they are typed, and what they name is made.
import { expect, test } from '@playwright/test';
import { MADE, SIZES, complaintsOf, seriousViolations, signUp, untilReady } from './support';

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

test('where the chosen model understands nothing, one button chooses another, and one has it made all the same', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  const [model, prompt] = [page.getByLabel('Model', { exact: true }), page.getByLabel(/should .* show/)];
  await model.selectOption('vignette-1');
  await prompt.fill('a cat plays the piano');
  await page.getByText('More settings').click();
  await page.getByLabel('Seed', { exact: true }).fill('7');
  await page.locator('#prompt-words').getByRole('button', { name: 'Use Flipbook 1' }).click();
  await expect(model).toHaveValue('flipbook-1');
  await expect(model).toBeFocused();
  await expect(prompt).toHaveValue('a cat plays the piano');
  await expect(page.getByLabel('Seed', { exact: true })).toHaveValue('7');
  await expect(page.locator('#prompt-words')).not.toContainText('Nothing here');

  await model.selectOption('vignette-1');
  await prompt.press('Control+Enter');
  await page.getByRole('button', { name: 'Make it anyway' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('a cat plays the piano');
});
