// The form: examples, limits, the keyboard, and what must be in sight.
import { expect, test } from '@playwright/test';
import { PASSWORD, atBothSizes, ask, complaintsOf, expectAboveTheFold, freshMail, seriousViolations, signUp, untilCompleted, untilReady } from './support';

const PROMPT = 'What should the video show?';

atBothSizes('an example takes the place of what was typed, which can be had back', async (page) => {
  await signUp(page);
  await untilReady(page);
  const prompt = page.getByLabel(PROMPT);
  await page.getByRole('button', { name: 'Campfire' }).click();
  await expect(prompt).toHaveValue('campfire at night');
  await prompt.press('Control+z');
  await expect(prompt).toHaveValue('');
  await prompt.pressSequentially('two foxes');
  await page.getByRole('button', { name: 'Campfire' }).click();
  await expect(prompt).toHaveValue('campfire at night');
  await expect(prompt).toBeFocused();
  await prompt.press('Control+z');
  await expect(prompt).toHaveValue('two foxes');
  await prompt.press('Control+y');
  await expect(prompt).toHaveValue('campfire at night');
  await prompt.press('Control+z');
  // Also after another example, and where there are no such keys.
  await page.getByRole('button', { name: 'Campfire' }).click();
  await page.getByRole('button', { name: 'Desert' }).click();
  await expect(prompt).toHaveValue('the desert at sunset');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(prompt).toHaveValue('two foxes');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

atBothSizes('an example in the place of a draft that came back can be undone, by button and then by keys', async (page) => {
  await signUp(page);
  await untilReady(page);
  const prompt = page.getByLabel(PROMPT);
  const own = 'my own words about a fish';
  await prompt.pressSequentially(own);
  await page.reload();
  await untilReady(page);
  await expect(page.getByText('This is what you had not sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Campfire' }).click();
  await expect(prompt).toHaveValue('campfire at night');
  await expect(page.getByText('This is what you had not sent yet.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(prompt).toHaveValue(own);
  // The browser's own undo takes back one text after the other, each as a whole.
  await expect(prompt).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(prompt).toHaveValue('campfire at night');
  await page.keyboard.press('Control+z');
  await expect(prompt).toHaveValue(own);
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  await expect(prompt).toHaveValue(own);
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await expect(prompt).toHaveValue('');
  await page.keyboard.press('Control+z');
  await expect(prompt).toHaveValue(own);
});

test('a link says which of its choices are not taken', async ({ page }) => {
  await signUp(page);
  await page.goto('/create?size=333x77&model=foo');
  await expect(page.locator('.notice')).toHaveText(/model \W?foo\W?, size \W?333x77/);
  await untilReady(page);
  await expect(page.locator('.notice')).toContainText('Not taken from the link');
  await page.goto('/create?size=96x96');
  await expect(page.locator('.notice')).toHaveCount(0);
});

atBothSizes('what is read of a long prompt is said before it is all, and what is not is said after', async (page) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  const [prompt, words] = [page.getByLabel(PROMPT), page.locator('#prompt-words')];
  const long = (chars: number) => 'a cat in the park, '.repeat(400).slice(0, chars - 1) + 's';
  await prompt.fill(long(3_300));
  await expect(words).toContainText('3,300 of 4,000 characters. Flipbook 1 reads no more than that.');
  await prompt.fill(long(5_200));
  await expect(words).toContainText('5,200 characters: Flipbook 1 reads the first 4,000, and the rest is not drawn.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await prompt.fill(long(3_000));
  await expect(words).not.toContainText('characters');
});

atBothSizes('price, time and the button are in sight from the start, and cover no field', async (page, size) => {
  await signUp(page);
  await untilReady(page);
  const submit = page.getByRole('button', { name: 'Make the video' });
  await expectAboveTheFold(page, submit);
  for (const figure of await page.locator('.ticket output').all()) await expectAboveTheFold(page, figure);
  await page.getByText('More settings').click();
  const bar = page.locator('.create-side');
  for (const field of ['Steps', 'Guidance', 'Seed', 'Leave out']) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByLabel(field, { exact: true }).focus();
    const box = (await page.getByLabel(field, { exact: true }).boundingBox())!;
    const limit = size.width < 960 ? (await bar.boundingBox())!.y : size.height;
    expect(box.y + box.height, `${field} is above the bar`).toBeLessThanOrEqual(limit);
    await expectInView(page, submit);
  }
  expect(await seriousViolations(page)).toEqual([]);
});

async function expectInView(page: import('@playwright/test').Page, element: import('@playwright/test').Locator) {
  const [box, size] = [await element.boundingBox(), page.viewportSize()];
  expect(box!.y >= 0 && box!.y + box!.height <= size!.height, JSON.stringify(box)).toBe(true);
}

atBothSizes('Ctrl+Enter makes the video', async (page) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel(PROMPT).fill('underwater');
  await page.getByLabel(PROMPT).press('Control+Enter');
  await expect(page).toHaveURL(/\/videos\/job_/);
});

atBothSizes('near the limit of a text there is a counter, and over it an error', async (page) => {
  await signUp(page);
  await untilReady(page);
  const prompt = page.getByLabel(PROMPT);
  await prompt.fill('a'.repeat(20_000));
  await expect(page.locator('#prompt-count')).toBeEmpty();
  await prompt.fill('a'.repeat(31_000));
  await expect(page.locator('#prompt-count')).toHaveText('31,000 of 32,000 characters');
  await prompt.fill('a'.repeat(32_001));
  await expect(page.locator('#prompt-error')).toContainText('32,001 characters');
  await expect(prompt).toHaveAttribute('aria-invalid', 'true');
  await prompt.fill('海'.repeat(21_000));
  await expect(page.locator('#prompt-count')).toHaveText('61.5 of 64 KiB');
  expect(await seriousViolations(page)).toEqual([]);
  await prompt.fill('the sea');
  await expect(page.locator('#prompt-error')).toBeEmpty();
  await expect(page.locator('#prompt-count')).toBeEmpty();
});

atBothSizes('Vary asks for the same with another seed, at one click', async (page) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  const first = await ask(page, 'the desert at sunset', { Steps: '2', Seed: '12', Guidance: '4' });
  await untilCompleted(page);
  for (const name of ['Download', 'Remix']) await expectAboveTheFold(page, page.getByRole('link', { name }));
  await expectAboveTheFold(page, page.getByRole('button', { name: 'Vary' }));
  await page.getByRole('button', { name: 'Vary' }).click();
  await expect(page).not.toHaveURL(new RegExp(first));
  await untilCompleted(page);
  const facts = page.locator('section[aria-labelledby=settings]');
  await expect(facts).toContainText('Guidance4');
  expect(await facts.locator('dt:text-is("Seed") + dd').innerText()).not.toMatch(/^12\b/);
  await expect(page.getByRole('link', { name: 'an earlier video' })).toHaveAttribute('href', `/videos/${first}`);
  expect(complaints).toEqual([]);
});

atBothSizes('Remix draws a new seed unless one asks to keep it', async (page) => {
  await signUp(page);
  await ask(page, 'hills at dawn', { Steps: '2', Seed: '12' });
  await untilCompleted(page);
  await page.getByRole('link', { name: 'Remix' }).click();
  await untilReady(page);
  const seed = page.getByLabel('Seed', { exact: true });
  await expect(seed).toHaveValue('');
  await page.getByRole('button', { name: 'Keep the seed 12' }).click();
  await expect(seed).toHaveValue('12');
  await expect(page.getByText('with a new seed unless you set one')).toBeVisible();
});

atBothSizes('sizes are one group of radio buttons, shown by how the picture lies', async (page) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  for (const [aspect, size] of [['Square 1:1', '720 × 720'], ['Wide, about 16:9', '640 × 360'], ['Wide 4:3', '480 × 360'], ['Tall, about 9:16', '360 × 640']]) {
    await expect(page.getByRole('group', { name: aspect, exact: true }).getByRole('radio', { name: size, exact: true })).toBeVisible();
  }
  const size = (name: string) => page.getByRole('radio', { name, exact: true });
  await expect(size('960 × 540')).toBeChecked();
  await size('960 × 540').focus();
  await page.keyboard.press('ArrowRight');
  await expect(size('1280 × 720')).toBeChecked();
  await expect(page.locator('.ticket')).toContainText('6 video-seconds');
  const box = async (lines: string) => (await page.locator('.choice', { hasText: lines }).locator('.outline').boundingBox())!;
  const [wide, classic, tall] = [await box('640 × 360'), await box('480 × 360'), await box('360 × 640')];
  expect(wide.width / wide.height).toBeGreaterThan(classic.width / classic.height);
  expect(classic.width).toBeGreaterThan(classic.height);
  expect(tall.height).toBeGreaterThan(tall.width);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await seriousViolations(page)).toEqual([]);
});

atBothSizes('a clip of the start page leads to the form, filled in, and nothing that was typed is lost', async (page) => {
  const shown = async () => {
    await untilReady(page);
    await expect(page.getByLabel(PROMPT)).toHaveValue('a cat playing piano');
    await expect(page.getByLabel('Model', { exact: true })).toHaveValue('flipbook-1');
    await expect(page.getByRole('radio', { name: '384 × 384', exact: true })).toBeChecked();
  };
  await page.goto('/');
  await page.getByRole('link', { name: 'Try: a cat playing piano' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Email address').fill(freshMail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await shown();
  await page.getByLabel(PROMPT).fill('two foxes');
  await page.goto('/');
  await page.getByRole('link', { name: 'Try: a cat playing piano' }).click();
  await shown();
  await page.getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByLabel(PROMPT)).toHaveValue('two foxes');
});
