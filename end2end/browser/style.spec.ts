// The choice of a style: a word of the prompt, which is written by choosing and marks what is chosen.
import { expect, test } from '@playwright/test';
import { SIZES, complaintsOf, seriousViolations, signUp, untilReady } from './support';

test('a style is a word of the prompt: choosing writes it, and typing it chooses', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signUp(page);
  await untilReady(page);
  const model = page.getByLabel('Model', { exact: true });
  const styles = page.getByRole('group', { name: 'Style' });
  const style = (name: string) => styles.getByRole('radio', { name, exact: true });
  const prompt = page.getByLabel(/should .* show/);
  await model.selectOption('vignette-1');
  await expect(styles).toBeHidden();
  await model.selectOption('flipbook-1');
  await expect(styles).toBeVisible();
  await expect(style('None')).toBeChecked();

  await prompt.fill('a cat on the beach.');
  await style('Pixel').check();
  await expect(prompt).toHaveValue('a cat on the beach, pixel art.');
  await expect(style('Pixel')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(style('Pastel')).toBeChecked();
  await expect(prompt).toHaveValue('a cat on the beach, pastel colors.');
  await page.reload();
  await untilReady(page);
  await expect(style('Pastel'), 'the draft that was kept says so').toBeChecked();
  await style('None').check();
  await expect(prompt).toHaveValue('a cat on the beach.');

  await prompt.fill('a watercolor fox in the snow');
  await expect(style('Pastel')).toBeChecked();
  await style('Neon').check();
  await expect(prompt).toHaveValue('a neon art fox in the snow');
  await style('None').check();
  await expect(prompt).toHaveValue('a fox in the snow');
  await prompt.fill('海辺の猫、ドット絵');
  await expect(style('Pixel')).toBeChecked();
  await prompt.fill('a cat beside a pencil');
  await expect(style('None')).toBeChecked();

  await prompt.fill('un chat noir dort');
  for (const [name, words] of [['Neon', 'neon art'], ['Pastel', 'pastel colors'], ['Neon', 'neon art'], ['Paper', 'paper art']]) {
    await style(name).check();
    await expect(prompt).toHaveValue(`un chat noir dort, ${words}`);
    await expect(page.locator('#prompt-words [data-style]')).toHaveAttribute('data-word', words);
  }
  await style('None').check();
  await expect(prompt, 'in any language nothing is left behind').toHaveValue('un chat noir dort');
  await prompt.fill('a neon sign above a bar, neon');
  await expect(style('Neon')).toBeChecked();
  await style('Pixel').check();
  await expect(prompt, 'the sign stays').toHaveValue('a neon sign above a bar, pixel art');

  // What a choice has written goes with a model without styles, and is back with the one that has them.
  await prompt.fill('a cat on the beach.');
  await expect(style('None')).toBeChecked();
  await style('Pixel').check();
  await expect(prompt).toHaveValue('a cat on the beach, pixel art.');
  await model.focus();
  await model.selectOption('vignette-1');
  await expect(prompt).toHaveValue('a cat on the beach.');
  await expect(model).toBeFocused();
  await expect(page.getByText('“pixel art” is taken out of the prompt')).toBeVisible();
  await model.selectOption('flipbook-1');
  await expect(prompt).toHaveValue('a cat on the beach, pixel art.');
  await expect(page.getByText('is taken out of the prompt')).toHaveCount(0);
  await prompt.fill('the sea');
  await expect(style('None')).toBeChecked();
  await style('Neon').check();
  await prompt.press('Control+z');
  await expect(prompt, "the browser's own undo takes a choice back").toHaveValue('the sea');
  await expect(style('None')).toBeChecked();

  await prompt.fill('');
  await style('Paper').check();
  await prompt.pressSequentially('a red fox');
  await expect(prompt).toHaveValue('a red fox, paper art');
  await expect(page.locator('#prompt-words')).toContainText('paper art');
  await expect(style('Paper')).toBeChecked();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  expect(complaints).toEqual([]);
});

test('where the server refuses to read the prompt, the style that stands in it stays chosen and can be taken out', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel('Model', { exact: true }).selectOption('flipbook-1');
  const style = (name: string) => page.getByRole('group', { name: 'Style' }).getByRole('radio', { name, exact: true });
  const [prompt, words] = [page.getByLabel(/should .* show/), page.locator('#prompt-words')];
  await prompt.fill('a cat on the beach, pixel art');
  await expect(style('Pixel')).toBeChecked();
  await page.route('**/api/read-prompt', (route) => route.fulfill({ status: 503, body: '' }));
  await prompt.press('Home');
  await page.keyboard.type('A');
  await expect(words, 'nothing is left there of another text').toBeEmpty();
  await expect(style('Pixel')).toBeChecked();
  await style('None').check();
  await expect(prompt).toHaveValue('Aa cat on the beach');
});
