import type { Translate } from '../../../components/i18n/useMessages.ts'
import type { FieldError } from './inputFields.ts'
import type { inputMessages } from './messages.ts'

/** Formats a form error as a sentence. */
export const formatFieldError = (t: Translate<typeof inputMessages>, error: FieldError): string =>
  t(error.key, {
    label: error.label,
    max: error.max ?? 0,
    given: error.given ?? '',
    allowed: error.allowed ?? '',
  })
