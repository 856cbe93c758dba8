import type { useTranslations } from 'use-intl'
import type { Fault } from './inputs.ts'

/** A fault of a form as a sentence. */
export const faultWords = (t: ReturnType<typeof useTranslations<'run'>>, fault: Fault): string =>
  t(fault.key, {
    label: fault.label,
    max: fault.max ?? 0,
    given: fault.given ?? '',
    allowed: fault.allowed ?? '',
  })
