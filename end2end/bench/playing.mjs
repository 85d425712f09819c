// From the click on "Make the video" until the video plays, in a browser, once for each prompt; prints the times in ms as JSON.
// REELMILL_SOURCE is a video whose model, size and length the new ones take over.
import { chromium } from 'playwright';

const { REELMILL_URL, REELMILL_CHROMIUM, REELMILL_EMAIL, REELMILL_PASSWORD, REELMILL_SOURCE, REELMILL_PROMPTS } = process.env;

const browser = await chromium.launch({ executablePath: REELMILL_CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
const page = await browser.newPage({ baseURL: REELMILL_URL, viewport: { width: 1440, height: 900 } });
await page.addInitScript(() => {
  addEventListener('click', () => sessionStorage.setItem('clicked', String(Date.now())), true);
  addEventListener('playing', () => sessionStorage.setItem('playing', String(Date.now())), true);
});
await page.goto('/signin');
await page.getByLabel('Email').fill(REELMILL_EMAIL);
await page.getByLabel('Password').fill(REELMILL_PASSWORD);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.waitForURL(/\/(library|create)/);

const times = [];
for (const prompt of JSON.parse(REELMILL_PROMPTS)) {
  await page.goto(`/create?from=${REELMILL_SOURCE}`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.getByLabel(/should .* show/).fill(prompt);
  // The estimate, the words and the draft come to rest.
  await page.waitForTimeout(1500);
  await page.evaluate(() => sessionStorage.removeItem('playing'));
  await page.getByRole('button', { name: 'Make the video' }).click();
  const playing = await page.waitForFunction(() => sessionStorage.getItem('playing'), null, { timeout: 120_000, polling: 20 });
  times.push(Number(await playing.jsonValue()) - Number(await page.evaluate(() => sessionStorage.getItem('clicked'))));
}
await browser.close();
console.log(JSON.stringify(times));
