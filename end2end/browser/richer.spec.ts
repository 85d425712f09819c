// A short prompt is made richer: before it is sent, beside what was typed, and as a text to go on from.
import { expect, test } from '@playwright/test';
import { MADE, SIZES, complaintsOf, seriousViolations, signUp, untilReady } from './support';

test('a prompt is made richer on demand, and both texts stand beside the video', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await untilReady(page);
  const model = page.getByLabel('Model', { exact: true });
  const richer = page.getByRole('checkbox', { name: 'Make it richer' });
  await model.selectOption('vignette-1');
  await expect(richer).toBeHidden();
  await model.selectOption('flipbook-1');
  const prompt = page.getByLabel(/should .* show/);
  const words = page.locator('#prompt-words');
  await prompt.fill('a ball');
  await expect(words.locator('.word')).toHaveCount(1);
  await richer.check();
  await expect(words).toContainText('Richer, for example');
  await expect(words.locator('.word.added').first()).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
  }
  await page.getByText('More settings').click();
  await page.getByLabel('Seed', { exact: true }).fill('7');
  await expect(words).not.toContainText('for example');
  const promised = await words.locator('q').innerText();
  expect(promised).toContain('ball');
  await page.getByRole('radio', { name: '384 × 384', exact: true }).check();
  await page.getByRole('radio', { name: '2 s', exact: true }).check();
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  await expect(page.locator('video')).toBeVisible(MADE);
  await page.reload();
  await expect(page.locator('h1.prompt')).toHaveText('a ball');
  await expect(page.locator('.facts').last()).toContainText(promised);
  await expect(page.locator('.facts .word.added').first()).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  const video = page.url();
  await page.getByRole('link', { name: 'Remix' }).click();
  await untilReady(page);
  await expect(prompt).toHaveValue('a ball');
  await expect(richer).toBeChecked();
  await page.goto(video);
  await page.getByRole('link', { name: 'Use this text' }).click();
  await untilReady(page);
  await expect(prompt).toHaveValue(promised);
  await expect(richer).not.toBeChecked();
  expect(complaints).toEqual([]);
});
