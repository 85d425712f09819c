// Forced colours: what is drawn by backgrounds and shadows alone would vanish there.
import { expect, type Locator } from '@playwright/test';
import { SLOW, atBothSizes, ask, cancelEverything, seriousViolations, signUp } from './support';

/** The colours are the system's here; axe compares those that the style sheet names. */
const SYSTEM_COLOURS = ['color-contrast'];

/** Whether an element has an edge of its own, or a fill that differs from the page's. */
async function isDrawn(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const style = getComputedStyle(node);
    const edge = ['Top', 'Right', 'Bottom', 'Left'].some(
      (side) => parseFloat(style[`border${side}Width` as any]) > 0 && style[`border${side}Style` as any] !== 'none',
    );
    return edge || style.backgroundColor !== getComputedStyle(document.body.parentElement!).backgroundColor;
  });
}

atBothSizes('buttons, choices and progress keep their edges under forced colours', async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signUp(page);
  const submit = page.getByRole('button', { name: 'Make the video' });
  expect(await submit.evaluate((node) => parseFloat(getComputedStyle(node).borderTopWidth)), 'a button has a border').toBeGreaterThan(0);
  const fill = (choice: string) => page.locator('.choice', { hasText: choice }).locator('span').evaluate((node) => getComputedStyle(node).backgroundColor);
  expect(await fill('384 × 384'), 'the chosen size differs').not.toBe(await fill('192 × 192'));
  for (const selector of ['.ticket', '.choice span', 'textarea', 'select']) expect(await isDrawn(page.locator(selector).first()), selector).toBe(true);
  expect(await seriousViolations(page, SYSTEM_COLOURS)).toEqual([]);
  await ask(page, 'the sea at sunset', SLOW);
  for (const selector of ['.stages progress', '.button']) expect(await isDrawn(page.locator(selector).first()), selector).toBe(true);
  const dot = await page.locator('.stages li').first().evaluate((node) => getComputedStyle(node, '::before').borderTopWidth);
  expect(parseFloat(dot), 'a stage has its dot').toBeGreaterThan(0);
  expect(await seriousViolations(page, SYSTEM_COLOURS)).toEqual([]);
  await cancelEverything(page);
  await page.goto('/library');
  for (const selector of ['.badge', '.button', '.nav a[aria-current]']) expect(await isDrawn(page.locator(selector).first()), selector).toBe(true);
});
