import { NativeSelect, TextInput } from '@mantine/core'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './AppHistory.module.css'
import { appHistoryMessages } from './messages.ts'

export interface HistoryFiltersProps {
  /** The selectable states; empty without a state filter. */
  states: readonly string[]
  /** The label of the text search; null without one. */
  search: string | null
  byPerson: boolean
}

const HOUR_MS = 3_600_000
const TIME_SPANS_MS = { lastHour: HOUR_MS, lastDay: 24 * HOUR_MS, lastWeek: 7 * 24 * HOUR_MS }

/** The filters of an app's history. Each is a query parameter with the name from `GET /api/runs`. */
export function HistoryFilters({ states, search, byPerson }: HistoryFiltersProps) {
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const person = get('person') ?? ''
  return (
    <div className={classes.filters}>
      {search === null ? null : (
        <SearchField label={search} value={get('q') ?? ''} onSearch={(words) => set({ q: words }, { replace: true })} />
      )}
      {states.length > 0 ? (
        <NativeSelect
          aria-label={t('state')}
          value={get('status') ?? ''}
          onChange={(event) => set({ status: event.currentTarget.value })}
          data={[{ value: '', label: t('anyState') }, ...states]}
        />
      ) : null}
      <NativeSelect
        aria-label={t('started')}
        value={get('from') ? 'chosenTime' : ''}
        onChange={(event) => {
          const span = TIME_SPANS_MS[event.currentTarget.value as keyof typeof TIME_SPANS_MS] as number | undefined
          set({ from: span ? new Date(Date.now() - span).toISOString() : null })
        }}
        data={[
          { value: '', label: t('anyTime') },
          ...Object.keys(TIME_SPANS_MS).map((value) => ({ value, label: t(value as keyof typeof TIME_SPANS_MS) })),
          ...(get('from') ? [{ value: 'chosenTime', label: t('chosenTime') }] : []),
        ]}
      />
      {byPerson ? (
        <TextInput
          key={person}
          aria-label={t('startedBy')}
          placeholder={t('startedBy')}
          defaultValue={person}
          maxLength={255}
          onBlur={({ currentTarget }) => {
            if (currentTarget.value.trim() !== person) set({ person: currentTarget.value.trim() })
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
        />
      ) : null}
    </div>
  )
}
