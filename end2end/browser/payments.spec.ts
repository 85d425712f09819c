// A plan is paid for, used, fails to be paid, recovers and is cancelled: on our pages and those of the twin of Stripe.
import { expect, test, type Page } from '@playwright/test';
import { SIZES, ask, complaintsOf, linkTo, putOnPlan, seriousViolations, signUp, untilCompleted } from './support';

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
  await page.goto(await linkTo(browser, mail, '/verify-email'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await putOnPlan(browser, mail, 'free');

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
  await expect(page.locator('#outlook, .notes').filter({ visible: true })).toContainText(/Leaves 3,59\d video-seconds of what your plan includes/);
  await ask(page, 'a red ball on a beach');
  await untilCompleted(page);
  await page.reload();
  await expect(page.locator('.facts', { hasText: 'Paid from' })).toContainText('What the plan includes');
  await page.goto('/usage');
  await expect(page.locator('main tbody tr').first()).toBeAttached();

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
  await expect(page.locator('main')).toContainText('It is cancelled, and ends on');
  await control(page, '/clock/advance', { seconds: 32 * DAY });
  await untilShown(page, 'None. Your plan is');
  expect(complaints.filter((complaint) => !complaint.includes('402'))).toEqual([]);
});

for (const size of SIZES) {
  test(`credit is bought, and billing reads well (${size.width} px)`, async ({ page, browser }) => {
    await page.setViewportSize(size);
    const mail = await signUp(page);
    await putOnPlan(browser, mail, 'payg');
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
    await expect(page.getByRole('alert')).toContainText('There is no such plan to choose.');
  });
}
