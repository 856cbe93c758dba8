import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ROOT_FOLDER } from './runCommand.ts'

/** Real databases open in many of these, and another job may have the machine: limits are for what hangs, not for speed. */
const timeLimits = {
  testTimeout: 600_000,
  hookTimeout: 300_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 60_000 } },
}

const SETUP_FILE = 'checks/allTests.setup.ts'

/** Tests of `npm run test:full` alone. */
const FULL_TESTS = process.env.TEST_FULL ? [] : ['**/*.full.test.{ts,tsx}']

/**
 * They measure the memory of their process, bend a clock that libraries look at too, or replace a module: the process is
 * nobody else's then.
 */
const ISOLATED_TESTS = [
  'server/auth/unguardedHandlers.full.test.ts',
  'server/runs/subscriptions/slowBrowsers.test.ts',
  'server/platform/indexing/extractText.test.ts',
  'server/relay/upstream/timeouts.test.ts',
  'server/runs/streaming/streamLimits.test.ts',
  'server/platform/apps/chat/chatGeneration.test.ts',
]

/**
 * Files share a process, one after the other, and the modules in it: to load the server for each file took longer
 * than the tests. What a file bends in the process is set right behind it, in `checks/allTests.setup.ts`. Whether
 * they do not care in which order they come shows `node checks/run.ts --full unit`.
 */
const SHARED_PROCESS = { isolate: false }

/**
 * As the server runs, and for its reason (`server/flags.mjs`): the optimizing compiler takes seconds of two cores each time
 * an embedded database is opened.
 */
const EXEC_ARGV = ['--liftoff-only']

export default defineConfig({
  root: ROOT_FOLDER,
  test: {
    // Most of these wait for a database in a process of its own, or for a job that is due in some seconds: with one file per
    // core, the cores idle a third of the time.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      {
        root: ROOT_FOLDER,
        test: {
          ...timeLimits,
          ...SHARED_PROCESS,
          name: 'node',
          environment: 'node',
          execArgv: EXEC_ARGV,
          setupFiles: [SETUP_FILE],
          include: [
            'src/**/*.test.ts',
            'server/**/*.test.ts',
            'cli/**/*.test.ts',
            'checks/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...ISOLATED_TESTS, ...FULL_TESTS],
        },
      },
      {
        root: ROOT_FOLDER,
        test: {
          ...timeLimits,
          name: 'alone',
          environment: 'node',
          execArgv: EXEC_ARGV,
          setupFiles: [SETUP_FILE],
          include: ISOLATED_TESTS,
          exclude: FULL_TESTS,
        },
      },
      {
        root: ROOT_FOLDER,
        test: {
          ...timeLimits,
          // A page each: what one file did with keys and pointer, jsdom remembers for the next. A page is a context in a process
          // that has loaded jsdom once: with a process each, 31 files took 147 s of processor time, now 69 s (2 cores,
          // `time npx vitest run --config checks/vitest.config.ts src/components src/features/annotations`).
          name: 'browser',
          pool: 'vmThreads',
          environment: './checks/browserEnvironment.ts',
          // A test that needs a document is a `.test.tsx`, also where it draws nothing.
          include: ['src/**/*.test.tsx'],
          exclude: FULL_TESTS,
          setupFiles: ['checks/jsdom.setup.ts', SETUP_FILE],
        },
      },
    ],
  },
})
