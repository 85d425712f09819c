// Signing in by an OpenID provider, which runs beside the product; see oidc.mjs.
import { expect, test, type Page } from '@playwright/test';
import { PASSWORD, SIZES, complaintsOf, freshMail, linkTo, seriousViolations, signUp } from './support';

test.skip(!process.env.REELMILL_OIDC_URL, 'there is no provider beside the product');

/** Goes to the provider and says there who one is. */
async function continueAs(page: Page, mail: string) {
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByPlaceholder('Enter any login').fill(mail);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Nobody is known any more, here and at the provider. */
async function leave(page: Page) {
  await page.context().clearCookies();
}

test('somebody signs up by a provider, out, and in again; an account with a password is linked', async ({ page, browser }) => {
  const mail = freshMail();
  await page.goto('/signup?next=/plan');
  await continueAs(page, mail);
  await expect(page).toHaveURL(/\/plan$/);
  await page.getByLabel(`Account of ${mail}`).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/signin');
  // The provider still knows them.
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await expect(page).toHaveURL(/\/create$/);
  await expect(page.getByLabel(`Account of ${mail}`)).toBeVisible();

  await leave(page);
  const known = await signUp(page);
  await page.goto(await linkTo(browser, known, '/verify-email'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await leave(page);
  await page.goto('/signin');
  await continueAs(page, known);
  await expect(page.getByRole('alert')).toContainText(`There is an account with the address ${known} already.`);
  await page.getByRole('link', { name: 'Sign in and link' }).click();
  await page.getByLabel('Email address').fill(known);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/security\/link$/);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await expect(page).toHaveURL(/\/security$/);
  const linked = page.getByRole('region', { name: 'Sign-in with Example ID' });
  await expect(linked).toContainText(`as ${known}`);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
  }
  await leave(page);
  await page.goto('/signin');
  await continueAs(page, known);
  await expect(page.getByLabel(`Account of ${known}`)).toBeVisible();
});

test('an address that the provider does not confirm makes no account, and the pages are usable', async ({ page }) => {
  const complaints = complaintsOf(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto('/signin');
    expect(await seriousViolations(page)).toEqual([]);
  }
  await continueAs(page, `unconfirmed-${freshMail()}`);
  await expect(page.getByRole('alert')).toContainText('does not confirm that your email address is yours');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await page.goto('/library');
  await expect(page).toHaveURL(/\/signin/);
  // A page that says no is one in the console, too; the provider's own page asks for a font from elsewhere.
  expect(complaints.filter((complaint) => !/status of 403|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED/.test(complaint))).toEqual([]);
});
