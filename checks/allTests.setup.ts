import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

/**
 * Property tests use a fixed seed, so that a failure is caused by a change. To search for new failures:
 * `PROPERTY_RUNS=20000 PROPERTY_SEED=$RANDOM npx vitest run --config checks/vitest.config.ts src`.
 */
const { PROPERTY_RUNS = '100', PROPERTY_SEED = '1' } = process.env
fc.configureGlobal({ numRuns: Number(PROPERTY_RUNS), seed: Number(PROPERTY_SEED) })

// The limit only catches hangs: on a busy machine the default of one second is too short.
const waitFor = vi.waitFor.bind(vi)
vi.waitFor = (look, options) => waitFor(look, typeof options === 'number' ? options : { timeout: 60_000, ...options })

// Restores the state of the process for the next test file, which shares it.
afterAll(() => {
  vi.waitFor = waitFor
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
