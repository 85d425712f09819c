// What was typed survives whatever answers instead of the server, and is charged once.
import { expect, test, type Page, type Route } from '@playwright/test';
import { MADE, PASSWORD, atBothSizes, cancelEverything, freshMail, listVideos, seriousViolations, signUp, untilReady } from './support';

const PROMPT = 'What should the video show?';
const SUBMIT = '**/api/submit-video';

async function fill(page: Page, text: string) {
  await untilReady(page);
  await page.getByLabel(PROMPT).fill(text);
  await page.getByRole('radio', { name: '96 × 96', exact: true }).check();
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Make the video' }).click();
}

/** Offers a draft that was put aside. */
function showIt(page: Page) {
  return page.getByRole('button', { name: 'Show it' });
}

async function signIn(page: Page, mail: string) {
  await page.getByLabel('Email address').fill(mail);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signOut(page: Page) {
  await page.locator('.menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
}

const answers: [string, (route: Route) => Promise<void>, RegExp][] = [
  ['500', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '"Internal"' }), /our (side|fault|mistake)/i],
  ['502 with a page of a proxy', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<html>Bad Gateway</html>' }), /cannot answer/i],
  ['503', (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":{}}' }), /cannot answer/i],
  ['429', (route) => route.fulfill({ status: 429, contentType: 'text/html', body: 'slow down' }), /too many requests/i],
  ['no network', (route) => route.abort('internetdisconnected'), /cannot be reached/i],
];

for (const [name, answer, words] of answers) {
  atBothSizes(`${name} loses nothing, blames nobody wrongly and never charges twice`, async (page) => {
    await signUp(page);
    await fill(page, 'a lighthouse in the rain');
    const keys: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/submit-video')) keys.push(new URLSearchParams(request.postData() ?? '').get('once'));
    });
    // The first is taken in, but its answer is lost.
    await page.route(SUBMIT, async (route) => {
      await route.fetch();
      await answer(route);
    });
    await submit(page);
    const alert = page.locator('form.create [role=alert]');
    await expect(alert).toContainText(words);
    await expect(alert).not.toContainText(/form was not understood/);
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    await untilReady(page);
    await expect(page.getByLabel(PROMPT)).toHaveValue('a lighthouse in the rain');
    await expect(page.getByRole('radio', { name: '96 × 96', exact: true })).toBeChecked();
    await page.unroute(SUBMIT);
    await submit(page);
    await expect(page).toHaveURL(/\/videos\/job_/);
    expect(keys.length).toBe(2);
    expect(keys[1]).toBe(keys[0]);
    expect(await listVideos(page)).toHaveLength(1);
    // Sent is sent: the next form is empty.
    await page.goto('/create');
    await untilReady(page);
    await expect(page.getByLabel(PROMPT)).toHaveValue('');
  });
}

atBothSizes('signed out meanwhile: sign in, come back, and the draft is there', async (page) => {
  const mail = await signUp(page);
  await fill(page, 'a lantern in the fog');
  await page.context().clearCookies();
  await submit(page);
  const alert = page.locator('form.create [role=alert]');
  await expect(alert).toContainText(/signed out/i);
  await alert.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, mail);
  await expect(page).toHaveURL(/\/create$/);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a lantern in the fog');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(1);
});

test('a draft stays with its account', async ({ page }) => {
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const ada = await signUp(page);
  await fill(page, 'a secret garden');
  await page.reload();
  await expect(page.getByLabel(PROMPT)).toHaveValue('a secret garden');
  expect(await stored()).toContain('a secret garden');
  await signOut(page);
  expect(await stored()).not.toContain('a secret garden');
  await page.goto('/signin');
  await signIn(page, ada);
  await fill(page, 'a secret garden');
  // Somebody else on the same browser, without a sign-out before.
  await page.context().clearCookies();
  await signUp(page);
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('');
  expect(await stored()).not.toContain('a secret garden');
});

test('a form that was drawn for one account charges no other', async ({ page, context }) => {
  await signUp(page);
  await fill(page, 'a secret garden');
  // Meanwhile, somebody else signs in in another tab.
  await context.clearCookies();
  const other = await context.newPage();
  await signUp(other);
  await submit(page);
  await expect(page.locator('form.create [role=alert]')).toContainText(/signed out/i);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a secret garden');
  expect(await listVideos(other)).toEqual([]);
});

test('Try again on a page of one account charges no other', async ({ page, context }) => {
  await signUp(page);
  const headers = { accept: 'application/json' };
  const answer = await page.request.post('/api/submit-video', { headers, form: { 'request[prompt]': 'a secret garden', 'request[steps]': '200' } });
  const id = await answer.json();
  await page.request.post('/api/cancel-video', { headers, form: { id } });
  await page.goto(`/videos/${id}`);
  await untilReady(page);
  await context.clearCookies();
  const other = await context.newPage();
  await signUp(other);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).not.toHaveURL(/\/videos\//);
  expect(await listVideos(other)).toEqual([]);
});

test('a draft of a model that is gone says so, and starts from what is on offer', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  const account = await page.locator('header[data-account]').getAttribute('data-account');
  await page.evaluate((name) => {
    const request = { prompt: 'a pier', model: 'gone-1', size: '1x1', seconds: '9', steps: '2' };
    localStorage.setItem(name, JSON.stringify({ request, nonce: 'n1' }));
  }, `draft:${account}:new`);
  await page.reload();
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a pier');
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('vignette-1');
  await expect(page.locator('#model-error')).toHaveText('Model gone-1 is not on offer any more.');
  await expect(page.getByRole('radio', { name: '384 × 384' })).toBeChecked();
  await expect(page.getByRole('radio', { name: '2 s' })).toBeChecked();
  await expect(page.locator('.ticket')).toContainText('0.167 video-seconds');
  expect(await seriousViolations(page)).toEqual([]);
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
});

/** From now on what is submitted is taken in, and its answer is lost. */
const loseAnswers = (page: Page) =>
  page.route(SUBMIT, async (route) => {
    await route.fetch();
    await route.abort();
  });

test('an edited draft is another submission, and going back to the first is not', async ({ page }) => {
  await signUp(page);
  await fill(page, 'one');
  await loseAnswers(page);
  for (const [text, videos] of [['one', 1], ['two', 2], ['one', 2]] as const) {
    await page.getByLabel(PROMPT).fill(text);
    await submit(page);
    await expect(page.locator('form.create [role=alert]')).toContainText(/cannot be reached/);
    expect(await listVideos(page)).toHaveLength(videos);
  }
});

/** A small video of this account, not finished yet. */
async function makeOne(page: Page, prompt: string, steps = '1'): Promise<string> {
  const answer = await page.request.post('/api/submit-video', {
    headers: { accept: 'application/json' },
    form: { 'request[prompt]': prompt, 'request[steps]': steps, 'request[size]': '96x96' },
  });
  return answer.json();
}

test('a remix that nobody edited is the same one after a lost answer and a reload', async ({ page }) => {
  await signUp(page);
  await page.goto(`/create?from=${await makeOne(page, 'a pier at night')}`);
  await untilReady(page);
  await loseAnswers(page);
  await submit(page);
  await expect(page.locator('form.create [role=alert]')).toContainText(/cannot be reached/);
  expect(await listVideos(page)).toHaveLength(2);
  await page.unroute(SUBMIT);
  await page.reload();
  await untilReady(page);
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(2);
});

test('Vary is the same one after a lost answer and a reload', async ({ page }) => {
  await signUp(page);
  await page.goto(`/videos/${await makeOne(page, 'a pier in spring')}`);
  const vary = page.getByRole('button', { name: 'Vary' });
  await expect(vary).toBeVisible(MADE);
  await untilReady(page);
  await loseAnswers(page);
  await vary.click();
  await expect(page.locator('.actions [role=alert]')).toContainText(/cannot be reached/);
  await page.unroute(SUBMIT);
  const source = page.url();
  await page.reload();
  await untilReady(page);
  await vary.click();
  await expect(page).not.toHaveURL(source);
  expect(await listVideos(page)).toHaveLength(2);
});

test('Vary after a lost answer finds the first video, and after a seen one makes another', async ({ page }) => {
  await signUp(page);
  await page.goto(`/videos/${await makeOne(page, 'a pier at dawn')}`);
  await untilReady(page);
  const vary = page.getByRole('button', { name: 'Vary' });
  await expect(vary).toBeVisible(MADE);
  await loseAnswers(page);
  await vary.click();
  await expect(page.locator('.actions [role=alert]')).toContainText(/cannot be reached/);
  const comeBack = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await comeBack();
  await page.unroute(SUBMIT);
  // The page stays, so that what it names the next submission can be seen.
  await page.route('**/videos/job_*', (route) => (route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.continue()));
  for (const videos of [2, 3]) {
    const led = page.waitForRequest((request) => request.isNavigationRequest());
    await vary.click();
    await led;
    expect(await listVideos(page)).toHaveLength(videos);
    await comeBack();
  }
});

test('a draft that came back can be thrown away', async ({ page }) => {
  await signUp(page, freshMail());
  await fill(page, 'not this one');
  await page.reload();
  await expect(page.getByText('not sent yet')).toBeVisible();
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await expect(page.getByLabel(PROMPT)).toHaveValue('');
  await expect(page.getByLabel(PROMPT)).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel(PROMPT)).toHaveValue('not this one');
  await expect(page.getByRole('radio', { name: '96 × 96', exact: true })).toBeChecked();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('not this one');
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await page.getByLabel(PROMPT).fill('another');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.getByLabel(PROMPT).fill('');
  await page.getByRole('radio', { name: '384 × 384', exact: true }).check();
  await page.reload();
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('');
});

test('a form whose video was deleted meanwhile says so, and makes another when asked again', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a pier at dusk');
  await loseAnswers(page);
  await submit(page);
  const alert = page.locator('form.create [role=alert]');
  await expect(alert).toContainText(/cannot be reached/);
  const [id] = await listVideos(page);
  for (const endpoint of ['cancel-video', 'delete-video']) {
    await page.request.post(`/api/${endpoint}`, { headers: { accept: 'application/json' }, form: { id } });
  }
  expect(await listVideos(page)).toEqual([]);
  await page.unroute(SUBMIT);
  await submit(page);
  await expect(alert).toContainText(/you deleted it/);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a pier at dusk');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  const [another, ...others] = await listVideos(page);
  expect([another === id, others.length]).toEqual([false, 0]);
});

test('who goes back to the form that was sent asks for another video with it', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a pier at noon');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  const first = page.url();
  await page.goBack();
  await expect(page).toHaveURL(/\/create$/);
  await fill(page, 'a pier at noon');
  const button = page.getByRole('button', { name: 'Make the video' });
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.click();
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(page.url()).not.toBe(first);
  expect(await listVideos(page)).toHaveLength(2);
});

const EXPECTED = '**/api/expected-time?**';
/** An answer for jobs of 200 steps, another for all others. */
const told = (route: Route) => {
  const eta = new URL(route.request().url()).searchParams.get('steps') === '200' ? { p50_ms: 31_000, p90_ms: 40_000 } : { p50_ms: 4000, p90_ms: 6000 };
  return route.fulfill({ json: { Ok: eta } });
};

test('a draft that came back shows its own waiting time', async ({ page }) => {
  await page.route(EXPECTED, told);
  await signUp(page);
  await untilReady(page);
  await page.getByLabel(PROMPT).fill('a slow river');
  await page.getByText('More settings').click();
  await page.getByLabel('Steps', { exact: true }).fill('200');
  const ticket = page.locator('.ticket');
  await expect(ticket).toContainText('31 s');
  await page.reload();
  await untilReady(page);
  await expect(ticket).toContainText('200/24 steps');
  await expect(ticket).toContainText('31 s');
});

test('the waiting time is asked again on an open page, and never stands when it cannot be told', async ({ page }) => {
  await page.clock.install();
  let answer = (route: Route) => route.fulfill({ json: { Err: 'NoWorker' } });
  await page.route(EXPECTED, (route) => answer(route));
  await signUp(page);
  await untilReady(page);
  const ticket = page.locator('.ticket');
  await page.clock.runFor(30_000);
  await expect(ticket).toContainText('No machine is running');
  answer = told;
  await page.clock.runFor(30_000);
  await expect(ticket).toContainText('4 s');
  answer = (route) => route.abort('internetdisconnected');
  await page.getByRole('radio', { name: '768 × 768' }).check();
  await page.clock.runFor(1000);
  await expect(ticket).toContainText('3 video-seconds');
  await expect(ticket).toContainText('The time cannot be told right now.');
  await expect(ticket).not.toContainText('4 s');
  answer = told;
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(ticket).toContainText('4 s');
});

test('what is typed while the form is sent is a draft of its own', async ({ page }) => {
  await signUp(page);
  await fill(page, 'one');
  await page.route(SUBMIT, async (route) => {
    await page.getByLabel(PROMPT).fill('two');
    await route.continue();
  });
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  await page.unroute(SUBMIT);
  await page.goto('/create');
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('two');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(2);
});

test('two tabs keep their own text, and neither throws away the other', async ({ page, context }) => {
  await signUp(page);
  await fill(page, 'of the first tab');
  const other = await context.newPage();
  await other.goto('/create');
  await untilReady(other);
  // A new tab starts from what was typed last.
  await expect(other.getByLabel(PROMPT)).toHaveValue('of the first tab');
  await other.getByLabel(PROMPT).fill('of the second tab');
  await page.reload();
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('of the first tab');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  await other.reload();
  await untilReady(other);
  await expect(other.getByLabel(PROMPT)).toHaveValue('of the second tab');
  const third = await context.newPage();
  await third.goto('/create');
  await untilReady(third);
  await expect(third.getByLabel(PROMPT)).toHaveValue('of the second tab');
});

test('signing out in one tab removes the drafts of the others', async ({ page, context }) => {
  const mail = await signUp(page);
  await fill(page, 'a secret garden');
  const other = await context.newPage();
  await other.goto('/library');
  await untilReady(other);
  await signOut(other);
  await other.goto('/signin?next=/library');
  await signIn(other, mail);
  await page.goto('/create');
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('a secret garden');
});

test('what was typed for a remix outlives the video it came from', async ({ page }) => {
  await signUp(page);
  const id = await makeOne(page, 'a pier in winter');
  await page.goto(`/create?from=${id}`);
  await expect(page).toHaveTitle(/^Remix/);
  await fill(page, 'a pier in snow');
  for (const endpoint of ['cancel-video', 'delete-video']) {
    await page.request.post(`/api/${endpoint}`, { headers: { accept: 'application/json' }, form: { id } });
  }
  expect((await page.reload())?.status()).toBe(200);
  await untilReady(page);
  await expect(page).toHaveTitle(/^Create/);
  await expect(page.getByRole('heading', { name: 'Create' })).toBeVisible();
  await expect(page.getByText('The video you wanted to remix is gone. What you typed is kept')).toBeVisible();
  await expect(page.getByLabel(PROMPT)).toHaveValue('a pier in snow');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  await expect(page.getByRole('link', { name: 'an earlier video' })).toHaveCount(0);
  // Sent is sent.
  await page.goto(`/create?from=${id}`);
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('');
});

test('a remix whose video is deleted before it is sent becomes a video on its own', async ({ page }) => {
  await signUp(page);
  const id = await makeOne(page, 'a pier in autumn');
  await page.goto(`/create?from=${id}`);
  await untilReady(page);
  for (const endpoint of ['cancel-video', 'delete-video']) {
    await page.request.post(`/api/${endpoint}`, { headers: { accept: 'application/json' }, form: { id } });
  }
  await submit(page);
  await expect(page.locator('form.create [role=alert]')).toContainText('The video you remix is gone');
  await expect(page.getByRole('heading', { name: 'Create' })).toBeVisible();
  await expect(page).toHaveTitle(/^Create/);
  await expect(page.locator(`a[href="/videos/${id}"]`)).toHaveCount(0);
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
});

/** Opens the form and types before the script is there. */
async function typeEarly(page: Page, text: string) {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/pkg/*.wasm*', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto('/create');
  await page.getByLabel(PROMPT).fill(text);
  arrive();
  await untilReady(page);
  await page.unroute('**/pkg/*.wasm*');
}

test('what is typed before the script arrives is kept from then on', async ({ page }) => {
  await signUp(page);
  await typeEarly(page, 'typed early');
  await page.goto('/create');
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('typed early');
});

test('what is typed before the script arrives puts older drafts aside', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a long walk along the harbour');
  await typeEarly(page, 'a');
  const prompt = page.getByLabel(PROMPT);
  await expect(prompt).toHaveValue('a');
  await page.reload();
  await untilReady(page);
  await expect(prompt).toHaveValue('a');
  await typeEarly(page, 'b');
  const show = showIt(page);
  await show.click();
  await expect(prompt).toHaveValue('a');
  await prompt.fill('a gull');
  await show.click();
  await expect(prompt).toHaveValue('a long walk along the harbour');
  await expect(page.getByRole('radio', { name: '96 × 96', exact: true })).toBeChecked();
  // None of them goes.
  await show.click();
  await expect(prompt).toHaveValue('b');
  await show.click();
  await expect(prompt).toHaveValue('a gull');
  // Nor does what is on its way leave the form.
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(SUBMIT, async (route) => {
    await asked;
    await route.continue();
  });
  const request = page.waitForRequest(SUBMIT);
  await submit(page);
  await request;
  await show.click();
  await expect(prompt).toHaveValue('a gull');
  answer();
  await expect(page).toHaveURL(/\/videos\/job_/);
  await page.goto('/create');
  await untilReady(page);
  await expect(prompt).toHaveValue('a long walk along the harbour');
  await show.click();
  await expect(prompt).toHaveValue('b');
});

test('what says the same as a draft that was put aside is charged once', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a pier in the rain');
  await loseAnswers(page);
  await submit(page);
  await expect(page.locator('form.create [role=alert]')).toContainText(/cannot be reached/);
  await page.unroute(SUBMIT);
  await typeEarly(page, 'a pier');
  await fill(page, 'a pier in the rain');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(1);
  await page.goto('/create');
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('');
  await expect(showIt(page)).toHaveCount(0);
});

test('what a browser cannot keep is not lost to a draft that was put aside', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a long walk along the harbour');
  await typeEarly(page, 'a');
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('', 'QuotaExceededError');
    };
  });
  const prompt = page.getByLabel(PROMPT);
  await prompt.fill('something new');
  await showIt(page).click();
  await expect(prompt).toHaveValue('a long walk along the harbour');
  await showIt(page).click();
  await expect(prompt).toHaveValue('something new');
});

test('a draft can be thrown away while others are put aside', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a long walk along the harbour');
  await typeEarly(page, 'not this one');
  await page.reload();
  await untilReady(page);
  const prompt = page.getByLabel(PROMPT);
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await expect(prompt).toHaveValue('');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(prompt).toHaveValue('not this one');
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await showIt(page).click();
  await expect(prompt).toHaveValue('a long walk along the harbour');
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await page.reload();
  await untilReady(page);
  await expect(prompt).toHaveValue('');
  await expect(showIt(page)).toHaveCount(0);
});

test('a draft without a prompt says so, and is thrown away without being shown', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a long walk along the harbour');
  await typeEarly(page, 'a');
  await page.reload();
  await untilReady(page);
  await page.getByRole('button', { name: 'Start afresh' }).click();
  await page.getByRole('radio', { name: '96 × 96', exact: true }).check();
  await typeEarly(page, 'b');
  const prompt = page.getByLabel(PROMPT);
  await expect(page.getByText('A draft without a prompt is put aside')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Throw it away' }).click();
  await expect(page.getByRole('button', { name: 'Throw it away' })).toHaveCount(0);
  await expect(page.getByText('Something else that you had not sent is put aside')).toBeVisible();
  await expect(prompt).toBeFocused();
  await expect(prompt).toHaveValue('b');
  await page.reload();
  await untilReady(page);
  await showIt(page).click();
  await expect(prompt).toHaveValue('a long walk along the harbour');
  await showIt(page).click();
  await expect(prompt).toHaveValue('b');
});

/** The prompts of all drafts of the form, by looking through them. */
async function drafts(page: Page, many: number) {
  const found: string[] = [];
  for (let at = 0; at < many; at++) {
    const shown = await page.getByLabel(PROMPT).inputValue();
    found.push(shown);
    await showIt(page).click();
    await expect(page.getByLabel(PROMPT)).not.toHaveValue(shown);
  }
  return found.sort();
}

test('of too many drafts the oldest goes, and never what was typed last', async ({ page }) => {
  await signUp(page);
  // Else the form may start from one of them.
  await untilReady(page);
  const account = await page.locator('header[data-account]').getAttribute('data-account');
  await page.evaluate((name) => {
    const kept = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ request: { prompt: `draft ${n}` }, nonce: `n${n}` }));
    localStorage.setItem(name, JSON.stringify(kept));
  }, `draft:${account}:new:aside`);
  await page.getByLabel(PROMPT).fill('draft 9');
  await typeEarly(page, 'typed last');
  const all = [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `draft ${n}`).concat('typed last');
  expect(await drafts(page, 9)).toEqual(all);
  await page.reload();
  await untilReady(page);
  expect(await drafts(page, 9)).toEqual(all);
});

test('one tab does not throw away what another has put aside', async ({ page, context }) => {
  await signUp(page);
  await fill(page, 'a harbour');
  await typeEarly(page, 'a bridge');
  const other = await context.newPage();
  await other.goto('/create');
  await untilReady(other);
  await other.getByLabel(PROMPT).fill('a tower');
  await typeEarly(other, 'a well');
  await showIt(page).click();
  await expect(page.getByLabel(PROMPT)).toHaveValue('a harbour');
  await other.close();
  const third = await context.newPage();
  await third.goto('/create');
  await untilReady(third);
  expect(await drafts(third, 3)).toEqual(['a bridge', 'a harbour', 'a tower']);
});

test('a draft that is in the form before the script arrives is the same one after a lost answer', async ({ page }) => {
  await signUp(page);
  await untilReady(page);
  await page.getByLabel(PROMPT).fill('a pier at low tide');
  await loseAnswers(page);
  await submit(page);
  await expect(page.locator('form.create [role=alert]')).toContainText(/cannot be reached/);
  await page.unroute(SUBMIT);
  // As by a browser that fills in what was there.
  await typeEarly(page, 'a pier at low tide');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(1);
});

test('Vary of a video that is gone puts an older draft aside', async ({ page }) => {
  await signUp(page);
  const id = await makeOne(page, 'a pier at high tide');
  await fill(page, 'a long walk along the harbour');
  await page.goto(`/videos/${id}`);
  const vary = page.getByRole('button', { name: 'Vary' });
  await expect(vary).toBeVisible(MADE);
  await untilReady(page);
  await page.request.post('/api/delete-video', { headers: { accept: 'application/json' }, form: { id } });
  await vary.click();
  await expect(page).toHaveURL(/\/create$/);
  await untilReady(page);
  await expect(page.locator('form.create [role=alert]')).toContainText('The video you remix is gone');
  await expect(page.getByLabel(PROMPT)).toHaveValue('a pier at high tide');
  await showIt(page).click();
  await expect(page.getByLabel(PROMPT)).toHaveValue('a long walk along the harbour');
  await expect(page.locator('form.create [role=alert]')).toBeEmpty();
});

test('Try again after a lost answer and the end of the session finds the first video', async ({ page }) => {
  const mail = await signUp(page);
  const id = await makeOne(page, 'a pier\nin two lines', '200');
  await page.request.post('/api/cancel-video', { headers: { accept: 'application/json' }, form: { id } });
  await fill(page, 'a long walk along the harbour');
  await page.goto(`/videos/${id}`);
  await untilReady(page);
  await loseAnswers(page);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.click();
  await expect(page.locator('.actions [role=alert]')).toContainText(/cannot be reached/);
  await page.unroute(SUBMIT);
  await page.context().clearCookies({ name: 'reelmill_session' });
  await again.click();
  await expect(page).toHaveURL(/\/signin/);
  await signIn(page, mail);
  await expect(page).toHaveURL(/\/create$/);
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a pier\nin two lines');
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(2);
  await page.goto('/create');
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a long walk along the harbour');
  await cancelEverything(page);
});

test('a sign-out that does not reach the server leaves the drafts', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a secret garden');
  await page.route('**/api/sign-out', (route) => route.abort('internetdisconnected'));
  await page.locator('.menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.locator('.menu [role=alert]')).toContainText('The server cannot be reached');
  await page.reload();
  await untilReady(page);
  await expect(page.getByLabel(PROMPT)).toHaveValue('a secret garden');
  await page.unroute('**/api/sign-out');
  await signOut(page);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('a secret garden');
});

test('a page that shows an older price charges no other before it has shown that', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a pier at noon');
  const shown: (string | null)[] = [];
  await page.route(SUBMIT, async (route) => {
    const fields = new URLSearchParams(route.request().postData() ?? '');
    shown.push(fields.get('quoted_ms'));
    // As if it had been drawn before prices changed.
    if (shown.length === 1) fields.set('quoted_ms', '1');
    await route.continue({ postData: fields.toString() });
  });
  await submit(page);
  await expect(page.locator('form.create .notice')).toContainText(/costs .*Nothing has been charged/);
  expect(await listVideos(page)).toEqual([]);
  await submit(page);
  await expect(page).toHaveURL(/\/videos\/job_/);
  expect(await listVideos(page)).toHaveLength(1);
  expect(Number(shown[0])).toBeGreaterThan(1);
  expect(shown[1]).toBe(shown[0]);
});

/** Puts drafts into both stores of the page until nothing more goes in. */
async function fillUp(page: Page, name: string) {
  await page.evaluate((name) => {
    for (const storage of [sessionStorage, localStorage]) {
      const kept = JSON.parse(storage.getItem(name)!);
      for (let [at, size] = [0, 100_000]; size > 0; at += 1) {
        const draft = { ...kept, request: { ...kept.request, prompt: 'x'.repeat(size) }, at_ms: at + 1 };
        // The oldest is a list of drafts that were put aside.
        const json = JSON.stringify(at === 0 ? [draft, draft] : draft);
        try {
          storage.setItem(name.replace(/new$/, `filler-${at}`), json);
        } catch {
          size = Math.floor(size / 10);
        }
      }
    }
  }, name);
}

const ownDrafts = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((name) => name.endsWith(':new')));
const stored = (page: Page, name: string) => page.evaluate((name) => [sessionStorage.getItem(name), localStorage.getItem(name)], name);

test('where a browser has no more room, the oldest drafts go and not what is being typed', async ({ page }) => {
  await signUp(page);
  await fill(page, 'a first idea');
  await expect.poll(() => ownDrafts(page)).toHaveLength(1);
  const [name] = await ownDrafts(page);
  await fillUp(page, name);
  const text = `a lighthouse ${'in the rain '.repeat(50)}at night`;
  await fill(page, text);
  await expect.poll(async () => (await stored(page, name)).filter((draft) => draft?.includes('at night')).length, 'in both stores').toBe(2);
  const filler = (at: number) => stored(page, name.replace(/new$/, `filler-${at}`));
  expect(await filler(0), 'the oldest made room').toEqual([null, null]);
  expect((await filler(1)).every((draft) => draft !== null), 'and no other').toBe(true);
  await page.reload();
  await expect(page.getByLabel(PROMPT)).toHaveValue(text);
});
