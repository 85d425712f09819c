// What several specs need: an account, an ear for complaints, axe.
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let accounts = 0;

export const PASSWORD = 'a lantern on the water';

/** Who made the first account; see operator.ts. */
export const OPERATOR = 'operator@example.com';

/** An email address that nobody has yet. */
export function freshMail(): string {
  accounts += 1;
  return `visitor-${process.pid}-${Date.now()}-${accounts}@example.com`;
}

/** For what comes when a video is made, in its turn. */
export const MADE = { timeout: 300_000 };

/** The phone and the desk at which everything has to work. */
export const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** One test at each of the two sizes. */
export function atBothSizes(title: string, body: (page: Page, size: { width: number; height: number }) => Promise<void>): void {
  for (const size of SIZES) {
    test(`${title} (${size.width} px)`, async ({ page }) => {
      await page.setViewportSize(size);
      await body(page, size);
    });
  }
}

/** Waits until buttons that need a script answer. */
export async function untilReady(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached();
}

/** Waits for the page behind a form, with the styles that some tests look at. */
async function arriveAt(page: Page, url: RegExp): Promise<void> {
  await expect(page).toHaveURL(url);
  await page.waitForLoadState();
}

/** Whether all of an element is in sight without scrolling. */
export async function expectAboveTheFold(page: Page, element: Locator): Promise<void> {
  expect(await page.evaluate(() => scrollY), 'the page is not scrolled').toBe(0);
  const box = await element.boundingBox();
  const size = page.viewportSize();
  expect(box, 'it is there').not.toBeNull();
  expect(box!.x >= 0 && box!.y >= 0 && box!.x + box!.width <= size!.width && box!.y + box!.height <= size!.height, JSON.stringify(box)).toBe(true);
}

/** Lets the page's clock run ahead, which must have been installed before the page was opened, until something has come. */
export async function hurryUntil(page: Page, reached: () => unknown): Promise<void> {
  const look = async () => {
    const has = await reached();
    if (!has) await page.clock.runFor(5_000);
    return has;
  };
  await expect.poll(look, MADE).toBe(true);
}

/** Settings that keep a worker busy for a while. */
export const SLOW = { Steps: '200', Size: '768 × 768' };

/** The newest videos of the account, as its library lists them. */
export async function listVideos(page: Page): Promise<string[]> {
  const html = await (await page.request.get('/library')).text();
  return [...html.matchAll(/id="card-(job_[0-9a-f]{32})"/g)].map((found) => found[1]);
}

/** Leaves no work behind for the specs that follow. */
export async function cancelEverything(page: Page): Promise<void> {
  await page.request.post('/api/cancel-waiting', { headers: { accept: 'application/json' }, form: {} });
  for (let path: string | undefined = '/library?of=all'; path; ) {
    const html: string = await (await page.request.get(path)).text();
    for (const [, id] of html.matchAll(/<li[^>]*id="card-(job_[0-9a-f]{32})"[^>]*data-unfinished/g)) {
      await page.request.post('/api/cancel-video', { headers: { accept: 'application/json' }, form: { id } });
    }
    path = html.match(/<a href="([^"]*)" rel="next"/)?.[1].replaceAll('&amp;', '&');
  }
}

/** Signs up as someone new and waits for the page on which work starts. */
export async function signUp(page: Page, mail = freshMail()): Promise<string> {
  await page.goto('/signup');
  await page.getByLabel('Email address').fill(mail);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await arriveAt(page, /\/create$/);
  return mail;
}

/** Signs the operator in. */
export async function signInAsOperator(page: Page): Promise<void> {
  await page.goto('/signin');
  await page.getByLabel('Email address').fill(OPERATOR);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/create$/);
}

/** Has the operator put an account on a plan. */
export async function putOnPlan(browser: Browser, mail: string, plan: string): Promise<void> {
  const operator = await browser.newPage();
  await signInAsOperator(operator);
  await operator.goto(`/admin/tenants?search=${encodeURIComponent(mail)}`);
  await operator.getByLabel(`Plan of ${mail}`).selectOption(plan);
  await operator.getByRole('button', { name: 'Set' }).click();
  await expect(operator.getByRole('status').filter({ hasText: 'The plan is changed.' })).toBeVisible();
  await operator.close();
}

/** The path of the link in the newest mail to somebody, read where the operator reads it. */
export async function linkTo(browser: Browser, mail: string, page: string): Promise<string> {
  const operator = await browser.newPage();
  await signInAsOperator(operator);
  let link = '';
  await expect(async () => {
    await operator.goto('/admin/mail');
    const newest = operator.locator('details.mail', { hasText: mail }).filter({ hasText: page }).first();
    // It may not be there yet: then the page is loaded again.
    await newest.locator('summary').click({ timeout: 1_000 });
    link = (await newest.locator('pre a').first().getAttribute('href', { timeout: 1_000 })) ?? '';
    expect(link).toContain(page);
  }).toPass();
  await operator.close();
  const url = new URL(link);
  return url.pathname + url.search;
}

/** Asks for a video and waits for its page. */
export async function ask(page: Page, prompt: string, settings: Record<string, string> = {}): Promise<string> {
  await page.goto('/create');
  // A plain form would ask about the price first.
  await untilReady(page);
  await page.getByLabel('What should the video show?').fill(prompt);
  if (Object.keys(settings).length > 0 && !(await page.getByLabel('Steps', { exact: true }).isVisible())) {
    await page.getByText('More settings').click();
  }
  for (const [label, value] of Object.entries(settings)) {
    if (label === 'Size') await page.getByRole('radio', { name: value, exact: true }).check();
    else await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: 'Make the video' }).click();
  await arriveAt(page, /\/videos\/job_[0-9a-f]{32}$/);
  return page.url().split('/').pop() ?? '';
}

export async function untilCompleted(page: Page): Promise<void> {
  await expect(page.locator('video.finished')).toBeVisible(MADE);
}

/** Starts another server for a moment, which offers the models of this folder. */
export async function offer(models: string): Promise<void> {
  const words = ['serve', '--port', '0', '--data', process.env.REELMILL_DATA!, '--models', models];
  const server = spawn(process.env.REELMILL_BIN!, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((listens, fails) => {
    const hear = (said: Buffer) => /listening on/.test(said.toString()) && listens();
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.on('exit', (code) => fails(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise((ends) => server.removeAllListeners('exit').on('exit', ends));
  server.kill('SIGTERM');
  await ended;
}

/** Collects everything a developer would see in red. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // On a busy machine Chromium finds that our script starts late.
    if (/was preloaded using link preload but not used within a few seconds/.test(message.text())) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Rules that axe itself takes less seriously than we do. */
const TAKEN_SERIOUSLY = ['landmark-unique'];

/** What axe calls serious or critical or we take seriously, as short lines; `without` some of its rules. */
export async function seriousViolations(page: Page, without: string[] = []): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] });
    return violations.map((violation: any) => ({
      id: violation.id,
      impact: violation.impact,
      line: `${violation.id}: ${violation.help} (${violation.nodes.map((node: any) => node.target.join(' ')).join('; ')})`,
    }));
  });
  const isSerious = ({ id, impact }: { id: string; impact: string }) => ['serious', 'critical'].includes(impact) || TAKEN_SERIOUSLY.includes(id);
  return found
    .filter((violation: { id: string; impact: string }) => isSerious(violation) && !without.includes(violation.id))
    .map((violation: { line: string }) => violation.line);
}
