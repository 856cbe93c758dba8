import { type DriftRow, NEVER_KINDS, type NeverRow, SEEN_KINDS } from '#contract/drifts.ts'
import type { Say } from '../../ui/words.ts'
import type { driftWords } from './messages.ts'

type Words = Say<typeof driftWords>

export const SEEN_WORDS = {
  field: 'field',
  event: 'unknownEvent',
  word: 'word',
  status: 'status',
  error: 'error',
  type: 'type',
  missing: 'missing',
} as const satisfies Record<DriftRow['kind'], string>

export const NEVER_WORDS = {
  operation: 'neverOperation',
  reply: 'neverReply',
  event: 'neverEvent',
  field: 'neverField',
  word: 'neverWord',
} as const satisfies Record<NeverRow['kind'], string>

export const MEANS = {
  field: 'meansField',
  event: 'meansEvent',
  word: 'meansWord',
  status: 'meansStatus',
  error: 'meansError',
  type: 'meansType',
  missing: 'meansMissing',
} as const satisfies Record<DriftRow['kind'], string>

export const seenKinds = (t: Words) => SEEN_KINDS.map((value) => ({ value, label: t(SEEN_WORDS[value]) }))
export const neverKinds = (t: Words) => NEVER_KINDS.map((value) => ({ value, label: t(NEVER_WORDS[value]) }))

/** How a refusal differs, by the `value` of its row. */
const ERRORS = { missing: 'errorMissing', field: 'errorField', type: 'errorOther' } as const

/** What differs, or was not seen, in the platform's own words: `message_end › metadata.usage.shelf`, `data[].status = dreaming`. */
export function placeOf(
  t: Words,
  row: Pick<DriftRow | NeverRow, 'kind' | 'event' | 'path' | 'value' | 'operation'>,
): string {
  const { kind, event, path, value, operation } = row
  if (kind === 'status') return t('statusIs', { value: value ?? '' })
  if (kind === 'operation') return operation
  if (kind === 'reply') return t('wholeReply')
  if (kind === 'error')
    return path
      ? t(ERRORS[value as keyof typeof ERRORS] ?? 'errorOther', { path })
      : t('errorBody', { value: value ?? '' })
  const place = path || (event === null ? t('wholeReply') : '')
  return [event, kind === 'word' ? `${place} = ${value ?? ''}` : place].filter(Boolean).join(' › ')
}
