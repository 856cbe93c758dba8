import {
  type DriftRow,
  type DriftSeverity,
  UNSEEN_PART_KINDS,
  type UnseenPart,
  DRIFT_KINDS,
  DRIFT_SEVERITIES,
} from '#contract/console/drift.ts'
import type { Translate } from '../../components/i18n/useMessages.ts'
import type { driftMessages } from './messages.ts'

type TranslateDrift = Translate<typeof driftMessages>

export const OBSERVED_KIND_MESSAGES = {
  field: 'field',
  event: 'unknownEvent',
  word: 'word',
  status: 'status',
  error: 'error',
  type: 'type',
  missing: 'missing',
} as const satisfies Record<DriftRow['kind'], string>

export const SEVERITY_MESSAGES = { notice: 'notice', note: 'note' } as const satisfies Record<DriftSeverity, string>

export const UNOBSERVED_KIND_MESSAGES = {
  operation: 'neverOperation',
  reply: 'neverReply',
  event: 'neverEvent',
  field: 'neverField',
  word: 'neverWord',
} as const satisfies Record<UnseenPart['kind'], string>

export const KIND_EXPLANATIONS = {
  field: 'meansField',
  event: 'meansEvent',
  word: 'meansWord',
  status: 'meansStatus',
  error: 'meansError',
  type: 'meansType',
  missing: 'meansMissing',
} as const satisfies Record<DriftRow['kind'], string>

export const listObservedKinds = (t: TranslateDrift) =>
  DRIFT_KINDS.map((value) => ({ value, label: t(OBSERVED_KIND_MESSAGES[value]) }))
export const listSeverities = (t: TranslateDrift) =>
  DRIFT_SEVERITIES.map((value) => ({ value, label: t(SEVERITY_MESSAGES[value]) }))
export const listUnobservedKinds = (t: TranslateDrift) =>
  UNSEEN_PART_KINDS.map((value) => ({ value, label: t(UNOBSERVED_KIND_MESSAGES[value]) }))

/** The operations in which a difference was seen, each once. */
export const listPlaceOperations = ({ places }: Pick<DriftRow, 'places'>): string[] => [
  ...new Set(places.map(({ operation }) => operation)),
]

/** How a refusal differs, by the `value` of its row. */
const ERROR_MESSAGES = { missing: 'errorMissing', field: 'errorField', type: 'errorOther' } as const

/** What differs, or was not seen, in the platform's own words: `message_end › metadata.usage.shelf`, `data[].status = dreaming`. */
export function getDriftLocation(
  t: TranslateDrift,
  row: Pick<DriftRow | UnseenPart, 'kind' | 'event' | 'path' | 'value' | 'operation'>,
): string {
  const { kind, event, path, value, operation } = row
  if (kind === 'status') return t('statusIs', { value: value ?? '' })
  if (kind === 'operation') return operation
  if (kind === 'reply') return t('fullResponse')
  if (kind === 'error')
    return path
      ? t(ERROR_MESSAGES[value as keyof typeof ERROR_MESSAGES] ?? 'errorOther', { path })
      : t('errorBody', { value: value ?? '' })
  const location = path || (event === null ? t('fullResponse') : '')
  return [event, kind === 'word' ? `${location} = ${value ?? ''}` : location].filter(Boolean).join(' › ')
}
