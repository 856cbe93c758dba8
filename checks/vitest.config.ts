import { defineConfig } from 'vitest/config'
import { root } from './command.ts'

/** Real databases open in many of these, and another job may have the machine: limits are for what hangs, not for speed. */
const limits = { testTimeout: 120_000, hookTimeout: 120_000, teardownTimeout: 30_000 }

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          ...limits,
          name: 'node',
          environment: 'node',
          include: ['src/contract/**/*.test.ts', 'server/**/*.test.ts', 'checks/**/*.test.ts'],
        },
      },
      {
        root,
        test: {
          ...limits,
          name: 'browser',
          environment: 'jsdom',
          include: ['src/{wire,ui,run,features,app}/**/*.test.{ts,tsx}', 'src/*.test.{ts,tsx}'],
          setupFiles: ['checks/jsdom.setup.ts'],
        },
      },
    ],
  },
})
