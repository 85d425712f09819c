// The first page opens, is styled and comes alive, without a word of complaint in the console.
import { expect, test } from '@playwright/test';

test('the first page opens without complaints', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`no answer from ${request.url()}`));

  const response = await page.goto('/', { waitUntil: 'networkidle' });

  expect(response?.status()).toBe(200);
  await expect(page.locator('body')).not.toBeEmpty();
  expect(complaints).toEqual([]);
});
