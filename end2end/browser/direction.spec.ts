// What is written from the right: where its heading begins, and how a word and its meaning are read.
import { expect, test } from '@playwright/test';
import { MADE, SIZES, complaintsOf, seriousViolations, signUp, untilReady } from './support';

test('a prompt from the right begins at the right edge of the page, and each word points to its meaning', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  await page.getByLabel(/should .* show/).fill('قطة سوداء بجانب المتجر');
  const chip = page.locator('#prompt-words .word').filter({ has: page.locator('.meaning') }).first();
  await expect(chip).toBeVisible();
  const reading = await chip.evaluate((node) => [...node.querySelectorAll('bdi')].map((part) => part.getBoundingClientRect().left));
  expect(reading.length === 2 && reading[0] < reading[1], 'the word, then its meaning').toBe(true);
  await page.getByRole('radio', { name: '384 × 384', exact: true }).check();
  await page.getByRole('radio', { name: '2 s', exact: true }).check();
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  await expect(page.locator('video')).toBeVisible(MADE);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const [heading, live] = await Promise.all(['h1', '.live'].map(async (selector) => (await page.locator(selector).boundingBox())!));
    expect(Math.abs(heading.x + heading.width - live.x - live.width), `${size.width} px`).toBeLessThanOrEqual(1);
    expect(await seriousViolations(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('the edge of a guess is seen in both themes', async ({ page }) => {
  await signUp(page);
  const contrast = () =>
    page.evaluate(() => {
      document.querySelector('main')!.insertAdjacentHTML('beforeend', '<p class="word guess probe">nut</p>');
      const probe = document.querySelector('.probe')!;
      const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')!;
      const luminance = (colour: string) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const both = [getComputedStyle(probe).borderTopColor, getComputedStyle(document.body).backgroundColor].map(luminance).sort((one, other) => one - other);
      probe.remove();
      return (both[1] + 0.05) / (both[0] + 0.05);
    });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await contrast(), colorScheme).toBeGreaterThan(3);
  }
});
