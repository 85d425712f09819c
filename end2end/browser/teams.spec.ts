// Teams: inviting by mail, roles, two-step sign-in, a forgotten password. The mails are read where the operator reads them.
import { createHmac } from 'node:crypto';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { PASSWORD, atBothSizes, complaintsOf, freshMail, linkTo, seriousViolations, signUp } from './support';

async function signIn(page: Page, mail: string, password = PASSWORD) {
  await page.goto('/signin');
  await page.getByLabel('Email address').fill(mail);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** RFC 6238, as an app computes it. */
function codeOf(secret: string, ahead = 0): string {
  const bits = [...secret].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac('sha1', key).update(step).digest();
  const offset = hash[19] & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Signs up, and confirms the address: whoever has not invites nobody. */
async function signUpConfirmed(page: Page, browser: Browser) {
  const mail = await signUp(page);
  await page.goto(await linkTo(browser, mail, '/verify-email'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Please confirm your address')).toHaveCount(0);
}

test('somebody is invited as a viewer, joins by signing up, and is removed again', async ({ page, browser }) => {
  await signUpConfirmed(page, browser);
  const guest = freshMail();
  await page.goto('/team');
  await page.getByLabel('Email address').fill(guest);
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByText(`${guest} is invited`)).toBeVisible();

  const link = await linkTo(browser, guest, '/invitation');
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Create account and join' }).click();
  await expect(other).toHaveURL(/\/library$/);
  await expect(other.getByRole('link', { name: 'Create' })).toHaveCount(0);

  await page.goto('/team');
  await expect(page.getByRole('row', { name: new RegExp(guest) }).first()).toContainText('Viewer');
  await page.getByRole('button', { name: `Remove ${guest}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('They are not in the team any more')).toBeVisible();
  await other.goto('/team');
  await expect(other.getByText('A team of one: you.')).toBeVisible();
});

test('two-step sign-in is turned on, asked for, and lets a recovery code in once', async ({ page }) => {
  const mail = await signUp(page);
  await page.goto('/security/on');
  const secret = (await page.locator('.code code').innerText()).trim();
  await expect(page.locator('.qr svg')).toBeVisible();
  await page.getByLabel('2. The code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('They are shown this once')).toBeVisible();
  const codes = (await page.locator('.code code').innerText()).trim().split('\n');
  expect(codes).toHaveLength(10);
  await page.context().clearCookies();
  await signIn(page, mail);
  await expect(page).toHaveURL(/\/signin\/code$/);
  await page.goto('/library');
  await expect(page).toHaveURL(/\/signin\?next=/);
  await signIn(page, mail);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.locator('main')).toContainText('not right');
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/create$/);
  await page.context().clearCookies();
  for (const lands of [/\/create$/, /\/signin\/code$/]) {
    await signIn(page, mail);
    await page.getByLabel('Code').fill(codes[0]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(lands);
    await page.context().clearCookies();
  }
});

test('a forgotten password is set again by mail, and the address confirmed with it', async ({ page, browser }) => {
  const mail = await signUp(page);
  await expect(page.getByText('Please confirm your address')).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/signin');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(mail);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('If there is an account')).toBeVisible();
  await page.goto(await linkTo(browser, mail, '/reset-password'));
  await page.getByLabel('Password', { exact: true }).fill('another lantern there');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Your password is set')).toBeVisible();
  await signIn(page, mail, 'another lantern there');
  await expect(page).toHaveURL(/\/create$/);
  await expect(page.getByText('Please confirm your address')).toHaveCount(0);
});

test('an account is deleted with its password, and signs in no more', async ({ page }) => {
  const mail = await signUp(page);
  await page.goto('/security');
  await page.getByRole('link', { name: 'Delete your account' }).click();
  await page.getByLabel('Your password').fill('not this one');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.locator('main')).toContainText('not your password');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL(/\/$/);
  await signIn(page, mail);
  await expect(page.locator('main')).toContainText(/wrong/i);
});

atBothSizes('the pages of team and account are accessible in both themes', async (page) => {
  const complaints = complaintsOf(page);
  await signUpConfirmed(page, page.context().browser()!);
  await page.goto('/team');
  const guest = freshMail();
  await page.getByLabel('Email address').fill(guest);
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.locator('main')).toContainText(guest);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/team', '/security', '/security/on', '/security/off', '/account/delete', '/forgot-password', '/invitation?token=x']) {
      await page.goto(path);
      await page.waitForLoadState();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path} scrolls sideways`).toBeLessThanOrEqual(0);
      expect(await seriousViolations(page), `${path}, ${colorScheme}`).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
});
