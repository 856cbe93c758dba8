import fc from 'fast-check'

/**
 * Properties are tried on the same examples each time, so that a run says something of the change and not of its luck.
 * To hunt for new ones: `PROPERTY_RUNS=20000 PROPERTY_SEED=$RANDOM npx vitest run --config checks/vitest.config.ts src`.
 */
const { PROPERTY_RUNS = '100', PROPERTY_SEED = '1' } = process.env
fc.configureGlobal({ numRuns: Number(PROPERTY_RUNS), seed: Number(PROPERTY_SEED) })
