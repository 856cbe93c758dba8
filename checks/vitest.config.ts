import { defineConfig } from 'vitest/config'
import { root } from './command.ts'

/** Real databases open in many of these, and another job may have the machine: limits are for what hangs, not for speed. */
const limits = {
  testTimeout: 600_000,
  hookTimeout: 300_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 60_000 } },
}

/** jsdom's sockets and signals are not those that `fetch` of Node takes; this one stands on a real line. */
const LINE = 'src/wire/stream.test.ts'

const EVERYWHERE = 'checks/every.setup.ts'

/**
 * They measure the memory of their process, bend a clock that libraries look at too, or replace a module: the process is
 * nobody else's then.
 */
const ALONE = [
  'server/access/unguarded.test.ts',
  'server/runs/crowd.test.ts',
  'server/platform/indexing/extract.test.ts',
  'server/relay/patience.test.ts',
  'server/runs/bounds.test.ts',
  'server/platform/apps/running.test.ts',
]

/**
 * Files share a process, one after the other, and the modules in it: to load the server for each file took longer
 * than the tests. What a file bends in the process is set right behind it, in `checks/every.setup.ts`. Whether
 * they still do not care in which order they come: `npx vitest run --config checks/vitest.config.ts --sequence.shuffle.files`.
 */
const SHARED = { isolate: false }

export default defineConfig({
  root,
  test: {
    // Most of these wait for a database in a process of its own; a core kept free would idle.
    maxWorkers: '100%',
    projects: [
      {
        root,
        test: {
          ...limits,
          ...SHARED,
          name: 'node',
          environment: 'node',
          setupFiles: [EVERYWHERE],
          include: ['src/contract/**/*.test.ts', LINE, 'server/**/*.test.ts', 'checks/**/*.test.ts'],
          exclude: ALONE,
        },
      },
      { root, test: { ...limits, name: 'alone', environment: 'node', setupFiles: [EVERYWHERE], include: ALONE } },
      {
        root,
        test: {
          ...limits,
          // A page each: what one file did with keys and pointer, jsdom remembers for the next.
          name: 'browser',
          environment: 'jsdom',
          include: ['src/{wire,ui,run,lab,features,app}/**/*.test.{ts,tsx}', 'src/*.test.{ts,tsx}'],
          exclude: [LINE],
          setupFiles: ['checks/jsdom.setup.ts', EVERYWHERE],
        },
      },
    ],
  },
})
