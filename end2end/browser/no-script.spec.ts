// With JavaScript switched off: sign up, submit, be refused without loss, read the library, delete.
import { expect, test } from '@playwright/test';
import { MADE, PASSWORD, atBothSizes, freshMail } from './support';

test.use({ javaScriptEnabled: false });

test('the whole way works without JavaScript', async ({ page }) => {
  const mail = freshMail();
  await page.goto('/signup');
  await page.locator('input[name=email]').fill(mail);
  await page.locator('input[name=password]').fill('short');
  await page.locator('main form button:not([type=button])').click();
  await expect(page.locator('main')).toContainText('8 characters');
  await expect(page.locator('input[name=email]')).toHaveValue(mail);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('main form button:not([type=button])').click();
  await expect(page).toHaveURL(/\/create$/);

  await page.locator('summary', { hasText: 'More settings' }).click();
  await page.locator('#steps').fill('999');
  await page.locator('#prompt').fill('fireworks over the city');
  await page.locator('main form.create button.large').click();
  await expect(page.locator('main')).toContainText('whole number from 1 to 200');
  await expect(page.locator('#prompt')).toHaveValue('fireworks over the city');
  await page.locator('#steps').fill('2');
  await page.locator('main form.create button.large').click();
  // No price was shown for these settings yet.
  await expect(page.locator('main')).toContainText('costs 0.167 video-seconds');
  await expect(page.locator('main')).toContainText('Nothing has been charged');
  await page.locator('main form.create button.large').click();
  await expect(page).toHaveURL(/\/videos\/job_/);

  // The page refreshes itself while it waits.
  await expect(page.locator('h2', { hasText: /completed|done|ready/i }).first()).toBeVisible(MADE);
  await page.goto('/library');
  await expect(page.locator('main')).toContainText('fireworks over the city');
});

atBothSizes('charged is what was shown, and a new price is asked about first', async (page) => {
  await page.goto('/signup');
  await page.locator('input[name=email]').fill(freshMail());
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('main form button:not([type=button])').click();
  await page.locator('#prompt').fill('the sea at night');
  await page.locator('.choice', { hasText: '768 × 768' }).click();
  await expect(page.locator('.ticket')).toContainText('2 video-seconds');
  // So many that it is still being made when it is cancelled.
  await page.locator('summary', { hasText: 'More settings' }).click();
  await page.locator('#steps').fill('200');
  await page.locator('main form.create button.large').click();
  await expect(page).toHaveURL(/\/create$/);
  await expect(page.locator('main')).toContainText('costs 25 video-seconds');
  await expect(page.locator('.ticket')).toContainText('25 video-seconds');
  await expect(page.locator('#prompt')).toHaveValue('the sea at night');
  await page.locator('main form.create button.large').click();
  await expect(page).toHaveURL(/\/videos\/job_/);
  await expect(page.locator('main')).toContainText('25 video-seconds');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('main')).toContainText(/Nothing charged|charged, for what was done/);
});
