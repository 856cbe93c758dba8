import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_OPTIONS } from '#support/chromium.ts'
import { IS_FULL_RUN } from '#support/fullRun.ts'

const listFullSpecs = (): string[] =>
  readdirSync(join(import.meta.dirname, 'specs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.full.spec.ts'))
    .sort()

/**
 * Specs see Loupe in a real Chromium, the one named by `CHROMIUM`. The fast specs (`*.spec.ts`) share one Loupe per worker: each
 * test has workspaces of its own or counts only what it made itself. With `TEST_FULL=1` those named `*.full.spec.ts` run too. Each
 * of these files is a project, so that it has a worker with a Loupe for itself and finds nothing that another file left.
 * Two files run side by side: while a page waits for its server, the other has the core. Limits are for what hangs.
 * No retries: a test that passes at the second try has found something.
 */
export default defineConfig({
  testDir: '.',
  projects: [
    ...(IS_FULL_RUN ? listFullSpecs() : []).map((file) => ({
      name: file.replace('.full.spec.ts', ''),
      testMatch: `specs/${file}`,
    })),
    { name: 'fast', testMatch: 'specs/**/*.spec.ts', testIgnore: '**/*.full.spec.ts' },
  ],
  globalSetup: './support/dataFolderTemplate.ts',
  outputDir: '../test-results',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  globalTimeout: 55 * 60_000,
  expect: { timeout: 60_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace keeps the machine busier than the pages do.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: CHROMIUM_OPTIONS,
  },
})
