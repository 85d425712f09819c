// What several specs need: an account, an ear for complaints, axe.
import { expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let accounts = 0;

export const PASSWORD = 'a lantern on the water';

/** An email address that nobody has yet. */
export function freshMail(): string {
  accounts += 1;
  return `visitor-${process.pid}-${Date.now()}-${accounts}@example.com`;
}

/** Signs up as someone new and waits for the page on which work starts. */
export async function signUp(page: Page, mail = freshMail()): Promise<string> {
  await page.goto('/signup');
  await page.getByLabel('Email address').fill(mail);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/create$/);
  return mail;
}

/** Asks for a video and waits for its page. */
export async function ask(page: Page, prompt: string, settings: Record<string, string> = {}): Promise<string> {
  await page.goto('/create');
  await page.getByLabel('What should the video show?').fill(prompt);
  if (Object.keys(settings).length > 0 && !(await page.getByLabel('Steps', { exact: true }).isVisible())) {
    await page.getByText('More settings').click();
  }
  for (const [label, value] of Object.entries(settings)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Make the video' }).click();
  await expect(page).toHaveURL(/\/videos\/job_[0-9a-f]{32}$/);
  return page.url().split('/').pop() ?? '';
}

export async function untilCompleted(page: Page): Promise<void> {
  await expect(page.locator('video.finished')).toBeVisible({ timeout: 60_000 });
}

/** Collects everything a developer would see in red. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** What axe calls serious or critical, as short lines. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
    return violations.map((violation: any) => ({
      impact: violation.impact,
      line: `${violation.id}: ${violation.help} (${violation.nodes.map((node: any) => node.target.join(' ')).join('; ')})`,
    }));
  });
  return found
    .filter((violation: { impact: string }) => ['serious', 'critical'].includes(violation.impact))
    .map((violation: { line: string }) => violation.line);
}
