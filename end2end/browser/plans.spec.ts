// Plans and credit: the operator gives them, the price says what it leaves, and without credit it is said what to do.
import { expect, test, type Page } from '@playwright/test';
import { SIZES, ask, complaintsOf, seriousViolations, signInAsOperator, signUp, untilCompleted, untilReady } from './support';

/** Has the operator put an account on a plan, and give it credit. */
async function prepay(operator: Page, mail: string, plan: string, videoSeconds: string): Promise<void> {
  await operator.goto(`/admin/tenants?search=${encodeURIComponent(mail)}`);
  await operator.getByLabel(`Plan of ${mail}`).selectOption(plan);
  await operator.getByRole('button', { name: 'Set' }).click();
  await expect(operator.getByRole('status').filter({ hasText: 'The plan is changed.' })).toBeVisible();
  await operator.locator('summary', { hasText: 'Give credit' }).click();
  await operator.getByLabel('Video-seconds').fill(videoSeconds);
  await operator.getByLabel('What for, as the account sees it').fill('to begin with');
  await operator.getByRole('button', { name: 'Give', exact: true }).click();
  await expect(operator.getByText('Given: ')).toBeVisible();
}

for (const size of SIZES) {
  test(`prepaid credit is shown before the click, used up, and asked for (${size.width} px)`, async ({ page, browser }) => {
    await page.setViewportSize(size);
    const complaints = complaintsOf(page);
    const mail = await signUp(page);
    const context = await browser.newContext({ viewport: size });
    const operator = await context.newPage();
    await signInAsOperator(operator);
    await prepay(operator, mail, 'payg', '3');
    expect(await seriousViolations(operator)).toEqual([]);

    await page.goto('/create');
    await untilReady(page);
    const shown = page.locator('#outlook, .notes').filter({ visible: true });
    await expect(shown).toContainText('Leaves 1 video-second of credit.');
    await ask(page, 'a red ball on a beach');
    await untilCompleted(page);
    await expect(page.getByText('2 video-seconds charged')).toBeVisible();
    await page.reload();
    await expect(page.locator('.facts', { hasText: 'Paid from' })).toContainText('Credit');

    await page.goto('/create');
    await untilReady(page);
    await expect(shown).toContainText('1 video-second more than you have left.');
    await expect(shown.getByRole('link', { name: 'Plan and credit' })).toHaveAttribute('href', '/plan');
    await page.getByLabel('What should the video show?').fill('a boat on a lake');
    await page.getByRole('button', { name: 'Make the video' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'add credit or take a larger plan' })).toBeVisible();
    await expect(page.getByLabel('What should the video show?')).toHaveValue('a boat on a lake');

    await page.getByRole('alert').getByRole('link', { name: 'Plan and credit' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Plan and credit' })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: '1 of 3 video-seconds left' })).toBeVisible();
    await expect(page.getByRole('row', { name: /Charged/ })).toContainText('it was made');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'no sideways scrolling').toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), colorScheme).toEqual([]);
    }
    expect(complaints.filter((complaint) => !complaint.includes('402'))).toEqual([]);
    await context.close();
  });

  test(`a plan is changed with its history, and what is mistyped comes back (${size.width} px)`, async ({ page }) => {
    await page.setViewportSize(size);
    await signInAsOperator(page);
    const id = `plan-${size.width}-${Date.now()}`;
    await page.goto('/admin/plans?plan=');
    await page.getByLabel('Id', { exact: true }).fill(id);
    await page.getByLabel('Name', { exact: true }).fill('Studio');
    await page.getByLabel('A month’s price').fill('forty');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('give an amount such as 29 or 0.50');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Studio');
    await page.getByLabel('A month’s price').fill('40');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
    await page.getByLabel('Included, in video-minutes a month').fill('90');
    await page.getByRole('button', { name: 'Save' }).click();
    const versions = page.getByRole('region', { name: 'Versions of the plan' });
    await expect(versions.locator('tbody tr')).toHaveCount(2);
    await expect(versions).toContainText('5,400 video-seconds a month');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'no sideways scrolling').toBeLessThanOrEqual(0);
    expect(await seriousViolations(page)).toEqual([]);
    // Nobody else is offered it.
    await page.goto('/pricing');
    await expect(page.getByRole('heading', { level: 3, name: 'Pro' })).toBeVisible();
    await expect(page.getByText('Studio')).toHaveCount(0);
  });
}
