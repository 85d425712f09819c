// Signing up, in and out, and what is said when it does not work.
import { expect, test, type Page } from '@playwright/test';
import { MADE, PASSWORD, freshMail, signUp, untilReady } from './support';

async function signIn(page: Page, mail: string, password: string) {
  await page.goto('/signin');
  await page.getByLabel('Email address').fill(mail);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function sessionCookie(page: Page) {
  return (await page.context().cookies()).find((cookie) => cookie.name === 'reelmill_session');
}

test('a new account finds its way from the empty library', async ({ page }) => {
  await signUp(page);
  await page.goto('/library');
  await expect(page.locator('.page-head').getByRole('link', { name: 'Create' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Make the first one' }).click();
  await expect(page).toHaveURL(/\/create$/);
});

test('sign out, then in again: another session, the same account', async ({ page }) => {
  const mail = await signUp(page);
  const first = await sessionCookie(page);
  expect(first).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  await page.getByLabel(`Account of ${mail}`).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/library');
  await expect(page).toHaveURL(/\/signin\?next=/);
  await signIn(page, mail, PASSWORD);
  await expect(page).toHaveURL(/\/create$/);
  expect((await sessionCookie(page))?.value).not.toBe(first?.value);
});

test('a wrong password, a taken address and a weak password are told apart in words', async ({ page }) => {
  const mail = await signUp(page);
  await page.context().clearCookies();
  await signIn(page, mail, 'not the password');
  await expect(page.locator('main')).toContainText(/wrong/i);
  await expect(page.getByLabel('Email address')).toHaveValue(mail);

  for (const [address, password, words] of [
    [mail, PASSWORD, /account with this email address/],
    [freshMail(), 'password123', /guess/],
    [freshMail(), 'short', /8 characters/],
  ] as const) {
    await page.goto('/signup');
    await page.getByLabel('Email address').fill(address);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.locator('main')).toContainText(words);
    await expect(page.getByLabel('Email address')).toHaveValue(address);
  }
});

test('wrong passwords make a stranger wait and never a browser that was signed in', async ({ page, browser }) => {
  const mail = await signUp(page);
  const known = (await page.context().cookies(new URL('/api/sign-in', page.url()).href)).find((cookie) => cookie.name === 'reelmill_browser');
  expect(known).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api' });
  const stranger = await browser.newPage();
  await stranger.goto('/signin');
  const guess = async () => {
    const answer = await stranger.request.post('/api/sign-in', { form: { email: mail, password: 'wrong' }, headers: { accept: 'text/html' } });
    return answer.text();
  };
  await expect.poll(guess, { ...MADE, intervals: [0] }).toMatch(/Too many tries. Wait/);
  await stranger.close();

  await page.getByLabel(`Account of ${mail}`).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await signIn(page, mail, PASSWORD);
  await expect(page).toHaveURL(/\/create$/);
});

test('nobody is led to another server after signing in', async ({ page }) => {
  const mail = await signUp(page);
  await page.context().clearCookies();
  await page.goto('/signin?next=//evil.example/');
  await page.getByLabel('Email address').fill(mail);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/create$/);
});

test('a key is shown once, works, and stops working when it is revoked', async ({ page, request }) => {
  await signUp(page);
  await page.goto('/keys');
  await page.getByLabel('Name of the new key').fill('from a browser');
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByRole('heading', { name: 'Your new key' })).toBeVisible();
  await expect(page.locator('main')).toContainText(/rm_live_[0-9A-Za-z]{36}/);
  const secret = (await page.locator('main').innerText()).match(/rm_live_[0-9A-Za-z]{36}/)?.[0] ?? '';
  expect(secret).not.toBe('');
  await untilReady(page);
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await expect(page.locator('#spoken')).toContainText('Copied');
  const list = () => request.get('/v1/videos', { headers: { authorization: `Bearer ${secret}` } });
  expect((await list()).status()).toBe(200);

  await page.goto('/keys');
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: /revoke/i }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: /revoke/i }).click();
  await expect(page.getByRole('cell', { name: 'Revoked', exact: true })).toBeVisible();
  expect((await list()).status()).toBe(401);
});
