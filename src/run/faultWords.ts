import type { Say } from '../ui/words.ts'
import type { Fault } from './inputs.ts'
import type { runWords } from './messages.ts'

/** A fault of a form as a sentence. */
export const faultWords = (t: Say<typeof runWords>, fault: Fault): string =>
  t(fault.key, {
    label: fault.label,
    max: fault.max ?? 0,
    given: fault.given ?? '',
    allowed: fault.allowed ?? '',
  })
