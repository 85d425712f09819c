// Things of a finished video are put elsewhere, by keys and by mouse, and stand exactly there in the next one.
import { expect, test, type Locator, type Page, type Route } from '@playwright/test';
import { MADE, SIZES, complaintsOf, expectAboveTheFold, seriousViolations, signUp, untilReady } from './support';

/** A point of a thing, from its corner, that no other thing lies over. */
async function gripOf(thing: Locator): Promise<{ x: number; y: number }> {
  return thing.evaluate((button) => {
    const own = button.closest('.thing');
    const { left, top, width, height } = button.getBoundingClientRect();
    for (let x = 5; x < width; x += 4) {
      for (let y = 5; y < height; y += 4) {
        if (document.elementFromPoint(left + x, top + y)?.closest('.thing') === own) return { x, y };
      }
    }
    throw new Error('another thing lies over all of it');
  });
}

/** Pins of the form, as they would be sent. */
async function pinsOf(page: Page): Promise<{ shot: number; slot: number; x: number; y: number; size?: number }[]> {
  return JSON.parse((await page.locator('#arrangement').inputValue()) || '[]');
}

/** Makes a video of two seconds, and opens the page on which its things are arranged. */
async function makeAndArrange(page: Page, prompt: string, size: string): Promise<void> {
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  await page.getByLabel(/should .* show/).fill(prompt);
  await page.getByRole('radio', { name: size, exact: true }).check();
  await page.getByRole('radio', { name: '2 s', exact: true }).check();
  await page.getByRole('button', { name: 'Make the video' }).click();
  await page.getByRole('link', { name: 'Arrange' }).click(MADE);
  await expect(page.locator('html[data-arranges]')).toBeAttached();
}

test('a thing that is dragged stands where it was dropped, and the rest is arranged around it', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  await page.getByLabel(/should .* show/).fill('a cat and a dog in the park');
  await page.getByRole('radio', { name: '384 × 384', exact: true }).check();
  await page.getByRole('radio', { name: '2 s', exact: true }).check();
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  const first = page.url();
  await expect(page.getByRole('link', { name: 'Arrange' })).toBeVisible(MADE);
  const seed = await page.locator('.below .facts').innerText();
  await page.getByRole('link', { name: 'Arrange' }).click();
  await expect(page.locator('html[data-arranges]')).toBeAttached();

  const cat = page.getByRole('button', { name: 'cat', exact: true });
  const again = page.getByRole('button', { name: 'Make again' });
  await expect(cat).toBeVisible();
  await expect(again).toBeDisabled();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of SIZES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      expect(await seriousViolations(page)).toEqual([]);
    }
  }

  // By keys: a hundredth each, five with Shift; a size, and everything back again.
  await cat.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('+');
  const [byKeys] = await pinsOf(page);
  expect(byKeys.size).toBeGreaterThan(0);
  await expect(page.locator('#spoken')).toContainText(/cat: \d+ % from the left, \d+ % from above, 110 % of its size/);
  await page.keyboard.press('Escape');
  expect(await pinsOf(page)).toEqual([]);
  await expect(again).toBeDisabled();

  // Larger, then by mouse: to the left edge or to the right one, whichever is farther away.
  await page.keyboard.press('+');
  const frame = (await page.locator('.arrange').boundingBox())!;
  const box = (await cat.boundingBox())!;
  const goal = box.x - frame.x > frame.width / 2 ? 0.2 : 0.8;
  const grip = await gripOf(cat);
  await page.mouse.move(box.x + grip.x, box.y + grip.y);
  await page.mouse.down();
  await page.mouse.move(frame.x + frame.width * goal, box.y + grip.y, { steps: 5 });
  await page.mouse.up();
  const [pin] = await pinsOf(page);
  const after = (await cat.boundingBox())!;
  expect(Math.abs(after.x + grip.x - (frame.x + frame.width * goal))).toBeLessThan(2);
  await again.click();

  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  await expect(page).not.toHaveURL(first);
  await expect(page.locator('video')).toBeVisible(MADE);
  expect((await page.locator('.below .facts').innerText()).match(/Seed\s+(\d+)/)?.[1]).toBe(seed.match(/Seed\s+(\d+)/)?.[1]);
  await page.goto(`${page.url()}/arrange`);
  await expect(page.locator('html[data-arranges]')).toBeAttached();
  const places = await page.locator('.thing').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.place!.split(' ').map(Number)));
  expect(places[pin.slot].slice(0, 2).map((place) => place.toFixed(4))).toEqual([pin.x, pin.y].map((place) => place.toFixed(4)));
  // What was given a size keeps it when it is moved again.
  await cat.focus();
  await page.keyboard.press(goal < 0.5 ? 'ArrowRight' : 'ArrowLeft');
  const [movedAgain] = await pinsOf(page);
  expect(movedAgain.x).not.toBe(pin.x);
  expect(movedAgain.size).toBeCloseTo(pin.size!, 3);
  expect(complaints).toEqual([]);
});

test('on a phone a thing is moved by finger and sized by buttons, what is carried takes its carrier along, and names stay in the picture', async ({ browser }) => {
  const context = await browser.newContext({ viewport: SIZES[0], hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await signUp(page);
  await makeAndArrange(page, 'an astronaut riding a horse', '360 × 640');
  await expect(page.getByText('Tap it to change its size with the buttons below the picture.')).toBeVisible();
  await expect(page.getByText('use the arrow keys')).toBeHidden();
  await expect(page.locator('.thing-name:visible')).toHaveCount(0);

  const larger = page.getByRole('button', { name: 'Larger' });
  await expect(larger).toBeDisabled();
  await page.getByRole('button', { name: 'horse', exact: true }).focus();
  await expect(page.locator('[data-chosen]')).toHaveText('horse');
  await larger.tap();
  await expect(page.locator('[data-chosen]')).toHaveText('horse, 110 % of its size');
  const [grown] = await pinsOf(page);
  expect(grown.size).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Put it back' }).tap();
  expect(await pinsOf(page)).toEqual([]);

  // Dragged by the rider.
  const rider = page.locator('.thing.carried').first();
  await rider.evaluate((node) => node.scrollIntoView({ block: 'center' }));
  const before = (await rider.boundingBox())!;
  const from = { x: before.x + before.width / 2, y: before.y + 5 };
  await page.mouse.move(from.x, from.y);
  await expect(page.locator('.thing-name:visible')).toHaveText('astronaut, moves with the horse');
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 10, { steps: 4 });
  await page.mouse.up();
  const after = (await rider.boundingBox())!;
  expect(Math.abs(after.x - before.x - 40)).toBeLessThan(3);
  expect((await pinsOf(page)).length, 'the horse alone is put').toBe(1);
  for (let presses = 0; presses < 30; presses += 1) await page.getByRole('button', { name: 'horse', exact: true }).press('Shift+ArrowLeft');
  const [frame, name] = [(await page.locator('.arrange').boundingBox())!, (await page.locator('.thing-name:visible').boundingBox())!];
  expect(name.x >= frame.x && name.x + name.width <= frame.x + frame.width && name.y >= frame.y && name.y + name.height <= frame.y + frame.height).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await seriousViolations(page)).toEqual([]);

  // At a desk, price, time and the button are in sight beside a tall picture.
  await page.setViewportSize(SIZES[1]);
  await page.reload();
  await expect(page.locator('html[data-arranges]')).toBeAttached();
  await page.evaluate(() => scrollTo(0, 0));
  await expectAboveTheFold(page, page.getByRole('button', { name: 'Make again' }));
  await expect(page.locator('.ticket')).toContainText(/Price.*video-second.*Ready in.*\d s/s);
  expect(complaints).toEqual([]);
  await context.close();
});

test('what is moved stays through a reload and a send that failed, is put back by keys alone, and goes when its account signs out', async ({ page }) => {
  await signUp(page);
  await makeAndArrange(page, 'a cat and a dog in the park', '384 × 384');
  const cat = page.getByRole('button', { name: 'cat', exact: true });
  const again = page.getByRole('button', { name: 'Make again' });
  const nameOfForm = () => page.locator('.arrange-form input[name=once]').inputValue();
  await cat.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('+');
  const [pins, name] = [await pinsOf(page), await nameOfForm()];
  expect(pins).toHaveLength(1);
  const expectMoved = async () => {
    await expect(page.locator('html[data-arranges]')).toBeAttached();
    expect(await pinsOf(page)).toEqual(pins);
    await expect(again).toBeEnabled();
    await expect(page.locator('.thing.moved canvas'), 'a copy of its part of the picture goes with it').toBeAttached();
    expect(await nameOfForm(), 'sent again, it is the same submission').toBe(name);
  };
  await page.reload();
  await expectMoved();
  await page.route('**/api/submit-video', (route) => route.fulfill({ status: 429, contentType: 'text/html', body: '<h1>Too many requests</h1>' }));
  await again.click();
  await expect(page.getByRole('heading', { name: 'Too many requests' })).toBeVisible();
  await page.goBack();
  await expectMoved();
  await page.unroute('**/api/submit-video');

  const putBack = page.getByRole('button', { name: 'Put all back' });
  await putBack.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#spoken')).toHaveText('Everything is back where it was.');
  await expect(putBack).toBeFocused();
  await expect(again).toBeDisabled();
  expect(await pinsOf(page)).toEqual([]);
  await cat.focus();
  await expect(putBack).toBeDisabled();
  await page.reload();
  await expect(page.locator('html[data-arranges]')).toBeAttached();
  await expect(again).toBeDisabled();

  await cat.focus();
  await page.keyboard.press('ArrowUp');
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('draft:')));
  expect(await drafts()).toHaveLength(1);
  await untilReady(page);
  await page.getByLabel(/^Account of/).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(await drafts()).toEqual([]);
});

test('the waiting time is asked again while things are arranged, and never stands when it cannot be told', async ({ page }) => {
  await signUp(page);
  await makeAndArrange(page, 'a cat', '384 × 384');
  let answer = (route: Route) => route.fulfill({ json: { Ok: { p50_ms: 125_000, p90_ms: 3_840_000 } } });
  const asked: URLSearchParams[] = [];
  await page.route('**/api/expected-time?**', (route) => {
    asked.push(new URL(route.request().url()).searchParams);
    return answer(route);
  });
  await page.clock.install();
  await page.reload();
  await expect(page.locator('html[data-arranges]')).toBeAttached();
  const ticket = page.locator('.ticket');
  await page.clock.runFor(30_000);
  await expect(ticket).toContainText('2 min 5 s');
  await expect(ticket).toContainText('Nine of ten take at most 1 h 4 min, queue included.');
  expect(Object.fromEntries(asked[0])).toMatchObject({ model: 'flipbook-1', size: '384x384', duration_ms: '2000' });
  answer = (route) => route.fulfill({ json: { Err: 'NoWorker' } });
  await page.clock.runFor(30_000);
  await expect(ticket).toContainText('No machine is running');
  answer = (route) => route.abort('internetdisconnected');
  await page.clock.runFor(30_000);
  await expect(ticket).toContainText('The time cannot be told right now.');
  answer = (route) => route.continue();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(ticket).toContainText(/Ready in.*\d s/s);
});

test('where things were put comes back with what was not sent', async ({ page }) => {
  await signUp(page);
  const pins = JSON.stringify([{ shot: 0, slot: 0, x: 0.2, y: 0.8 }]);
  await page.goto(`/create?${new URLSearchParams({ model: 'flipbook-1', prompt: 'a cat in the park', arrangement: pins })}`);
  await untilReady(page);
  const kept = page.getByLabel('Things stay where they were put');
  await expect(kept).toBeChecked();
  await page.goto('/create');
  await untilReady(page);
  await expect(page.getByText('This is what you had not sent yet.')).toBeVisible();
  await expect(kept).toBeChecked();
  await expect(kept).toHaveValue(pins);
  // Of another prompt other things would be held there, unless one asks for that.
  const prompt = page.getByLabel(/should .* show/);
  await prompt.fill('a horse and a dog');
  await expect(kept).not.toBeChecked();
  await prompt.fill('a cat in the park');
  await expect(kept).toBeChecked();
  await expect(kept).toHaveValue(pins);
  await prompt.fill('a horse and a dog');
  await expect(kept).not.toBeChecked();
  await kept.check();
  await expect(kept).toHaveValue(pins);
  await prompt.fill(' a horse and a dog ');
  await expect(kept).toBeChecked();
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await expect(kept).not.toBeChecked();
});

test('a video whose things are not known says so, and one of somebody else is not there', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('vignette-1');
  await page.getByLabel(/should .* show/).fill('the sea at sunset');
  await page.getByRole('radio', { name: '96 × 96', exact: true }).check();
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  const address = page.url();
  await page.goto(`${address}/arrange`);
  await expect(page.getByText('it is not finished').or(page.getByText('is not known'))).toBeVisible();
  await page.goto(address);
  await expect(page.locator('video')).toBeVisible(MADE);
  await expect(page.getByRole('link', { name: 'Arrange' })).toHaveCount(0);
  await page.goto(`${address}/arrange`);
  await expect(page.getByText('Where things are in this video is not known')).toBeVisible();
  expect((await page.goto('/videos/job_0190aaaabbbb7ccc8dddeeeeffff0001/arrange'))?.status()).toBe(404);
});
