// A plan is paid for, used, fails to be paid, recovers and is cancelled: on our pages and those of the twin of Stripe.
import { expect, test, type Browser, type Page } from '@playwright/test';
import { OPERATOR, PASSWORD, SIZES, ask, complaintsOf, seriousViolations, signInAsOperator, signUp, untilCompleted } from './support';

const TWIN = process.env.REELMILL_TWIN_URL ?? '';
const DAY = 86_400;

/** Asks the twin of what nobody could ask Stripe. */
async function control(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(`${TWIN}/_twin${path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function customerOf(page: Page, mail: string): Promise<string> {
  const headers = { authorization: 'Bearer sk_test_local' };
  const found = await (await page.request.get(`${TWIN}/v1/customers`, { headers, params: { email: mail } })).json();
  return found.data[0].id;
}

/** Has the operator put an account on a plan. */
async function putOn(browser: Browser, mail: string, plan: string): Promise<void> {
  const operator = await browser.newPage();
  await signInAsOperator(operator);
  await operator.goto(`/admin/tenants?search=${encodeURIComponent(mail)}`);
  await operator.getByLabel(`Plan of ${mail}`).selectOption(plan);
  await operator.getByRole('button', { name: 'Set' }).click();
  await expect(operator.getByRole('status').filter({ hasText: 'The plan is changed.' })).toBeVisible();
  await operator.close();
}

/** Opens the link of the mail by which an address is confirmed, read where the operator reads it. */
async function verify(page: Page, browser: Browser, mail: string): Promise<void> {
  const operator = await browser.newPage();
  await operator.goto('/signin');
  await operator.getByLabel('Email address').fill(OPERATOR);
  await operator.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await operator.getByRole('button', { name: 'Sign in' }).click();
  await expect(operator).toHaveURL(/\/create$/);
  let link = '';
  await expect(async () => {
    await operator.goto('/admin/mail');
    const newest = operator.locator('details.mail', { hasText: mail }).filter({ hasText: '/verify-email' }).first();
    await newest.locator('summary').click();
    link = (await newest.locator('pre a').first().getAttribute('href', { timeout: 1_000 })) ?? '';
    expect(link).toContain('/verify-email');
  }).toPass();
  await operator.close();
  const url = new URL(link);
  await page.goto(url.pathname + url.search);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** Pays on the page of the twin, with this card. */
async function pay(page: Page, card: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${TWIN}/c/pay/`));
  await page.locator('input[name="card"]').fill(card);
  await page.locator('button[type="submit"]').click();
}

async function untilShown(page: Page, text: string): Promise<void> {
  await expect(async () => {
    await page.goto('/billing');
    await expect(page.locator('main')).toContainText(text, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
}

test('a plan is bought, used, not paid, paid after all, and cancelled', async ({ page, browser }) => {
  test.setTimeout(600_000);
  const complaints = complaintsOf(page);
  const mail = await signUp(page);
  await verify(page, browser, mail);
  await putOn(browser, mail, 'free');

  await page.goto('/plan');
  await page.getByRole('link', { name: 'Change your plan, or buy credit' }).click();
  await page.getByRole('link', { name: 'Choose Pro' }).click();
  await expect(page.locator('main')).toContainText('It costs $29.00 a month');
  await page.getByRole('button', { name: 'Go on to payment' }).click();
  await pay(page, '4000 0000 0000 0002');
  await expect(page.locator('main')).toContainText(/declined/i);
  await pay(page, '4242 4242 4242 4242');
  await expect(page).toHaveURL(/\/billing\?checkout=done$/);
  await expect(page.locator('main')).toContainText('Pro, $29.00 a month. The next payment is on');
  await expect(page.getByRole('row', { name: /Paid/ })).toContainText('$29.00');

  await page.goto('/create');
  await expect(page.locator('#outlook, .notes').filter({ visible: true })).toContainText('3598');
  await ask(page, 'a red ball on a beach');
  await untilCompleted(page);
  await page.reload();
  await expect(page.locator('.facts', { hasText: 'Paid from' })).toContainText('Included');
  await page.goto('/usage');
  await expect(page.getByRole('row', { name: /2/ }).first()).toBeVisible();

  const customer = await customerOf(page, mail);
  await control(page, '/cards', { card: customer, decline: 'generic_decline' });
  await control(page, '/clock/advance', { seconds: 31 * DAY + 7200 });
  await untilShown(page, 'The last payment was declined, and is tried again.');
  await expect(page.getByRole('row', { name: /To be paid/ })).toBeVisible();
  await control(page, '/cards', { card: customer });
  await control(page, '/clock/advance', { seconds: 8 * DAY });
  await untilShown(page, 'Pro, $29.00 a month. The next payment is on');

  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
  await expect(page.locator('main')).toContainText('It is cancelled, and ends on');
  await page.getByRole('button', { name: 'Keep it after all' }).click();
  await expect(page.locator('main')).toContainText('The next payment is on');
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
  await control(page, '/clock/advance', { seconds: 32 * DAY });
  await untilShown(page, 'None. Your plan is');
  expect(complaints.filter((complaint) => !complaint.includes('402'))).toEqual([]);
});

for (const size of SIZES) {
  test(`credit is bought, and billing reads well (${size.width} px)`, async ({ page, browser }) => {
    await page.setViewportSize(size);
    const mail = await signUp(page);
    await putOn(browser, mail, 'payg');
    await page.goto('/billing');
    await page.getByLabel('How much').selectOption({ label: '10 minutes of video for $6.00' });
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    await pay(page, '4242 4242 4242 4242');
    await expect(page).toHaveURL(/\/billing\?checkout=done$/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'no sideways scrolling').toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), colorScheme).toEqual([]);
    }
    await page.goto('/plan');
    await expect(page.getByRole('progressbar', { name: '600 of 600 video-seconds left' })).toBeVisible();
    await page.goto('/billing/plan?plan=nothing');
    await expect(page.getByRole('alert')).toContainText('There is no plan `nothing` to choose.');
  });
}
