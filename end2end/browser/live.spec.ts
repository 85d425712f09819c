// The page of one video while it comes along and when it is there.
import { expect, test } from '@playwright/test';
import { MADE, SLOW, atBothSizes, ask, complaintsOf, expectAboveTheFold, hurryUntil, seriousViolations, signUp, untilCompleted, untilReady } from './support';

atBothSizes('a video that does not load says so and tries again by itself', async (page) => {
  await signUp(page);
  let [refused, seen] = [0, false];
  await page.route(/\/media\/videos\/[^/]+\/video$/, async (route) => {
    refused += 1;
    if (refused <= 2 || !seen) await route.abort('connectionreset');
    else await route.continue();
  });
  await ask(page, 'snow at night', { Steps: '2' });
  await expect(page.locator('.screen-problem')).toContainText(/could not be loaded/i, MADE);
  await expect(page.locator('.screen-problem').getByRole('button', { name: 'Load it now' })).toBeVisible();
  seen = true;
  await expect.poll(() => page.locator('video.finished').evaluate((node: HTMLVideoElement) => node.currentTime), MADE).toBeGreaterThan(0);
  await expect(page.locator('.screen-problem')).toHaveCount(0);
  expect(refused).toBeGreaterThan(2);
});

atBothSizes('the button loads a video at once', async (page) => {
  await page.clock.install();
  await signUp(page);
  let [away, refused] = [true, 0];
  await page.route(/\/media\/videos\/[^/]+\/video$/, (route) => {
    refused += 1;
    return away ? route.abort() : route.continue();
  });
  const id = await ask(page, 'rain at night', { Steps: '2' });
  await expect(page.locator('.screen-problem')).toBeVisible(MADE);
  // Drawn by the server, and broken before the script is there.
  await page.goto(`/videos/${id}`);
  await expect(page.locator('.screen-problem')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  // By now the pause before the next try is long enough for a person to be quicker.
  await hurryUntil(page, () => refused >= 6);
  away = false;
  await page.getByRole('button', { name: 'Load it now' }).click();
  await expect.poll(() => page.locator('video.finished').evaluate((node: HTMLVideoElement) => node.currentTime)).toBeGreaterThan(0);
  await expect(page.locator('.screen-problem')).toHaveCount(0);
});

atBothSizes('cancelling keeps the focus where the button was', async (page) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await ask(page, 'the sea at sunset', SLOW);
  await untilReady(page);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
  const [outcome, actions] = await Promise.all(
    ['.headline', '.actions'].map((selector) => page.locator(selector).evaluate((node) => node.getBoundingClientRect().top)),
  );
  expect(outcome, 'what became of it comes first').toBeLessThan(actions);
  expect(await page.evaluate(() => 'sameDocument' in globalThis), 'without a reload').toBe(true);
  expect(await seriousViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

atBothSizes('the tab says how far it is', async (page) => {
  await signUp(page);
  await ask(page, 'northern lights over the mountains', SLOW);
  await expect(page).toHaveTitle(/^\d+ % · northern lights/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveTitle(/^Cancelled · northern lights.* · Reelmill$/);
  await ask(page, 'campfire at night', { Steps: '2' });
  await untilCompleted(page);
  await expect(page).toHaveTitle('Done · campfire at night · Reelmill');
});

test('the tab of a page that nobody looks at says how far it is, and that it is done', async ({ page }) => {
  await page.clock.install();
  await signUp(page);
  await ask(page, 'a comet over the hills', { Steps: '120', Size: '384 × 384' });
  await untilReady(page);
  await expect(page).toHaveTitle(/^\d+ % · a comet/);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  const before = await page.title();
  await hurryUntil(page, async () => (await page.title()) !== before);
  await hurryUntil(page, async () => /^Done · a comet/.test(await page.title()));
});

atBothSizes('a long prompt is the heading, folded, and everything that matters stays above the fold', async (page) => {
  await signUp(page);
  const prompt = `A quiet harbour at night. ${'Lanterns sway over the water and the boats answer them. '.repeat(30)}The end.`;
  await ask(page, prompt, { Steps: '2' });
  await untilCompleted(page);
  await expect(page.locator('.stages')).toBeHidden();
  const [heading, status] = await Promise.all(
    ['h1', '.headline h2'].map((selector) => page.locator(selector).evaluate((node) => parseFloat(getComputedStyle(node).fontSize))),
  );
  expect(status).toBeLessThan(heading);
  for (const name of ['Download', 'Remix']) await expectAboveTheFold(page, page.getByRole('link', { name }));
  await expectAboveTheFold(page, page.getByRole('button', { name: 'Vary' }));
  await expect(page.getByText('The end.').first()).toBeHidden();
  await page.getByText('Show all').click();
  await expect(page.getByText('The end.').first()).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
});

atBothSizes('one video-second is one, and a download says what it is', async (page) => {
  await signUp(page);
  await ask(page, 'Café at night / "closed"', { Steps: '12' });
  await expect(page.getByText(/\b1 video-second\b(?!s)/).first()).toBeVisible();
  await untilCompleted(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^café-at-night-closed-20\d\d-\d\d-\d\d\.mp4$/);
  await page.goto('/create');
  await untilReady(page);
  await page.getByText('More settings').click();
  await page.getByLabel('Steps', { exact: true }).fill('12');
  await expect(page.locator('.ticket')).toContainText('1 video-second');
  await expect(page.locator('.ticket')).not.toContainText('1 video-seconds');
});
