// How the browser tests run: against the product that `cargo xtask test` has started, in the
// system's Chromium. By hand: REELMILL_URL=http://127.0.0.1:3000 npx playwright test
import { defineConfig } from '@playwright/test';

const artifacts = process.env.REELMILL_ARTIFACTS ?? 'test-results';

export default defineConfig({
  testDir: 'browser',
  globalSetup: './browser/operator.ts',
  outputDir: artifacts,
  // One after the other, but a part of them may be any of them, so that parts are of one size.
  fullyParallel: true,
  workers: 1,
  retries: 0,
  // What is waited for comes; these end what never does, also on a machine that is busy with other work.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.REELMILL_REPORT ?? `${artifacts}/report.json` }],
  ],
  use: {
    baseURL: process.env.REELMILL_URL ?? 'http://127.0.0.1:3000',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      executablePath: process.env.REELMILL_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
