import type { Check, WireCheckType } from '#contract/console/checks.ts'
import { RUN_FIGURES } from '#contract/console/runs.ts'
import { type CheckedRun, type CheckScore, UndecidableCheckError } from './checkedResult.ts'
import { toBoolean } from './textChecks.ts'
import { toPlainPrice } from '../price.ts'

/** @throws UndecidableCheckError */
export function evaluateWireCheck(type: WireCheckType, check: Check, run: CheckedRun): CheckScore {
  switch (type) {
    case 'first-token':
      return toLimit(check, run[RUN_FIGURES.firstToken.field], 'The first token came after', 'ms')
    case 'latency':
      return toLimit(check, run.duration_ms, 'The run took', 'ms')
    case 'longest-stall':
      return toLimit(check, run.longest_stall_ms, 'The longest stall was', 'ms')
    case 'tokens':
      return toLimit(check, run.total_tokens, 'The run used', 'tokens')
    case 'cost':
      return toCost(check, run)
    case 'ends-with-terminal-event': {
      const { hasTerminalEvent } = run
      if (hasTerminalEvent === null) throw new UndecidableCheckError('The run was not streamed.')
      const reason = hasTerminalEvent
        ? 'The terminal event was received.'
        : 'The stream ended without a terminal event.'
      return { ...toBoolean(hasTerminalEvent), reason }
    }
    case 'no-drift':
      return toDriftCount(run.drifts)
  }
}

function toDriftCount(drifts: CheckedRun['drifts']): CheckScore {
  if (drifts === null) throw new UndecidableCheckError('Neither frames nor a response of the run are stored.')
  const [first] = drifts
  const reason =
    first === undefined
      ? 'Everything received is in the contract.'
      : `${countOf(drifts.length, 'difference', 'differences')} from the contract, first ${first}.`
  return { score: drifts.length, threshold: 0, isLimit: true, reason }
}

export const countOf = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`

/** A measure with a maximum in the check. */
export function toLimit({ threshold }: Check, value: number | null, verb: string, unit: string): CheckScore {
  if (threshold === undefined) throw new UndecidableCheckError('`threshold` is required.')
  if (value === null) throw new UndecidableCheckError('The platform did not report it.')
  return { score: value, threshold, isLimit: true, reason: `${verb} ${value} ${unit}.` }
}

/** Prices of different currencies are not compared. */
function toCost(check: Check, { total_price, currency }: CheckedRun): CheckScore {
  const price = total_price === null ? null : toPlainPrice(total_price)
  if (price === null || currency === null) throw new UndecidableCheckError('The platform reported no price.')
  if (currency !== check.currency)
    throw new UndecidableCheckError(`The price is in ${currency}, and the check is in ${check.currency ?? 'none'}.`)
  return { ...toLimit(check, Number(price), 'The run cost', currency), reason: `The run cost ${price} ${currency}.` }
}
