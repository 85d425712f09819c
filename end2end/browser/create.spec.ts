// The way of a video: asked for, watched, played, downloaded, remixed, deleted.
import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { MADE, ask, complaintsOf, signUp, untilCompleted, untilReady } from './support';

function probe(file: string) {
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v', '-show_streams', '-show_format', '-of', 'json', file];
  const { streams, format } = JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' }));
  const [stream] = streams;
  return {
    codec: stream.codec_name,
    size: `${stream.width}x${stream.height}`,
    frames: Number(stream.nb_read_frames),
    rate: stream.r_frame_rate,
    seconds: Number(format.duration),
  };
}

test('a prompt becomes a video that one watches sharpen, plays, downloads and deletes', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await expect(page.locator('.ticket')).toContainText('2 video-seconds');
  await expect(page.locator('.ticket')).not.toContainText('No estimate yet');

  const previews = new Set<string>();
  page.on('response', async (response) => {
    if (!response.url().includes('/preview?step=') || response.status() !== 200) return;
    const body = await response.body().catch(() => null);
    if (body) previews.add(createHash('sha256').update(body).digest('hex'));
  });
  const id = await ask(page, 'northern lights over the mountains', { Steps: '100', Seed: '7' });
  await expect(page.locator('img.preview')).toBeVisible();
  await expect(page.locator('.stages-step')).toHaveText(/\d+ % done: step \d+ of 100/);
  await untilCompleted(page);
  await expect.poll(() => previews.size).toBeGreaterThanOrEqual(2);

  const video = page.locator('video.finished');
  await expect.poll(() => video.evaluate((node: HTMLVideoElement) => node.currentTime)).toBeGreaterThan(0);
  expect(await video.evaluate((node: HTMLVideoElement) => [node.loop, node.muted, node.videoWidth, node.paused])).toEqual([true, true, 384, false]);
  await expect(page.getByText('video-seconds charged')).toBeVisible();

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()]);
  const file = await download.path();
  expect(probe(file)).toEqual({ codec: 'h264', size: '384x384', frames: 16, rate: '8/1', seconds: 2 });

  await page.goto('/library');
  await expect(page.locator(`a[href="/videos/${id}"]`)).toBeVisible();
  await page.goto(`/videos/${id}`);
  await page.getByRole('button', { name: 'Delete this video' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/library$/);
  await expect(page.locator(`a[href="/videos/${id}"]`)).toHaveCount(0);
  expect((await page.goto(`/videos/${id}`))?.status()).toBe(404);
  expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
});

test('price and time follow the form before the click, and nothing jumps', async ({ page }) => {
  await signUp(page);
  const ticket = page.locator('.ticket');
  // Another font breaks lines elsewhere, and so does a page without its style.
  await page.waitForLoadState();
  await page.evaluate(() => document.fonts.ready);
  const before = await ticket.boundingBox();
  await page.getByRole('radio', { name: '768 × 768' }).check();
  await expect(ticket).toContainText('3 video-seconds');
  await page.getByText('More settings').click();
  await page.getByLabel('Steps', { exact: true }).fill('48');
  await expect(ticket).toContainText('6 video-seconds');
  await page.getByLabel('Steps', { exact: true }).fill('0');
  await expect(page.locator('#steps-error')).toContainText('whole number from 1 to 200');
  // A field that is marked, and words instead of numbers, leave the ticket as tall as it was.
  expect((await ticket.boundingBox())?.height).toBe(before?.height);
});

test('a refused form keeps what was typed and says what to mend', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  await page.getByText('More settings').click();
  await page.getByLabel('Seed', { exact: true }).fill('99');
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page.locator('#prompt-error')).not.toBeEmpty();
  await expect(page.getByLabel('What should the video show?')).toBeFocused();
  await expect(page.getByLabel('Seed', { exact: true })).toHaveValue('99');
  await untilReady(page);
  await page.getByRole('button', { name: 'Roll a seed' }).click();
  await expect(page.getByLabel('Seed', { exact: true })).not.toHaveValue('99');
});

test('a closed tab loses nothing, a cancelled video costs what was done of it and can be tried again', async ({ page, context }) => {
  await signUp(page);
  const again = await context.newPage();
  const id = await ask(page, 'the sea at sunset', { Steps: '200' });
  await page.close();
  await again.goto(`/videos/${id}`);
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(again.getByRole('heading', { name: 'Cancelled' })).toBeVisible();
  await expect(again.getByText(/Nothing charged|of [\d.]+ video-seconds charged, for what was done before you stopped it/)).toBeVisible();
  await expect(again.locator('.actions')).toContainText(/Try again makes the same video, for [\d.]+ video-seconds/);
  await again.getByRole('button', { name: 'Try again' }).click();
  await expect(again).not.toHaveURL(new RegExp(id));
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(again.getByRole('heading', { name: 'Cancelled' })).toBeVisible();
});

test('a remix starts from the settings of its source', async ({ page }) => {
  await signUp(page);
  await ask(page, 'campfire at night', { Steps: '4', Seed: '12', 'Leave out': 'rain' });
  await untilCompleted(page);
  await page.getByRole('link', { name: 'Remix' }).click();
  await expect(page).toHaveURL(/\/create\?/);
  await untilReady(page);
  await expect(page.getByLabel('What should the video show?')).toHaveValue('campfire at night');
  await expect(page.getByLabel('Steps', { exact: true })).toHaveValue('4');
  await expect(page.getByLabel('Leave out', { exact: true })).toHaveValue('rain');
  await page.getByRole('button', { name: 'Make the video' }).click();
  await untilCompleted(page);
  await expect(page.getByRole('link', { name: 'an earlier video' })).toBeVisible();
});

test('the library follows a video that is being made', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  const id = await ask(page, 'snow at night', { Steps: '120' });
  await page.goto('/library');
  const card = page.locator(`#card-${id}`);
  await expect(card.locator('.badge')).toHaveText(/Waiting|In progress/);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await expect(card.locator('img + .badge')).toBeVisible();
  await expect(card.locator('[data-clip]')).toBeVisible(MADE);
  expect(await page.evaluate(() => 'sameDocument' in globalThis), 'without a reload').toBe(true);
  expect(complaints).toEqual([]);
});

test('a video deleted in another tab is gone here too', async ({ page, context }) => {
  await signUp(page);
  const other = await context.newPage();
  const id = await ask(page, 'rain at night', { Steps: '200' });
  await expect(page.locator('.stages-step')).toHaveText(/\d+ % done: step \d+ of 200/);
  await other.goto(`/videos/${id}`);
  await other.getByRole('button', { name: 'Delete this video' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(other).toHaveURL(/\/library$/);
  await page.bringToFront();
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
