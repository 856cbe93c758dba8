import { findMaxMetricDifference } from '#domain/checks/rankingOracle.testing.ts'
import { findDisagreements, readRecordedPairs } from './promptfoo/promptfooAgreement.ts'

const RANKING_COUNT = 10_000
const MAX_DIFFERENCE = 1e-9
/** Disagreements that are shown. */
const MAX_SHOWN = 10

/** Checks against what others compute: promptfoo's own engine, and the definitions of the measures of rankings. */
const pairs = readRecordedPairs()
const disagreements = findDisagreements(pairs)
const difference = findMaxMetricDifference(RANKING_COUNT)
for (const one of disagreements.slice(0, MAX_SHOWN)) console.error(JSON.stringify(one))
console.log(`checks as promptfoo decides them: ${pairs.length - disagreements.length} of ${pairs.length}`)
console.log(`largest difference of a measure on ${RANKING_COUNT} rankings: ${difference}`)
if (disagreements.length > 0 || difference >= MAX_DIFFERENCE) process.exitCode = 1
