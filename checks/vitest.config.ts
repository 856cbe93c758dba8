import { defineConfig } from 'vitest/config'
import { root } from './command.ts'

/** Real databases open in many of these, and another job may have the machine: limits are for what hangs, not for speed. */
const limits = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 60_000 } },
}

/** jsdom's sockets and signals are not those that `fetch` of Node takes; this one stands on a real line. */
const LINE = 'src/wire/stream.test.ts'

const EVERYWHERE = 'checks/every.setup.ts'

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
          name: 'node',
          environment: 'node',
          setupFiles: [EVERYWHERE],
          include: ['src/contract/**/*.test.ts', LINE, 'server/**/*.test.ts', 'checks/**/*.test.ts'],
        },
      },
      {
        root,
        test: {
          ...limits,
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
