import { NativeSelect, TextInput } from '@mantine/core'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import classes from './History.module.css'
import { historyWords } from './messages.ts'

export interface HistoryFiltersProps {
  /** The states that can be asked for; none where the state says nothing. */
  states: readonly string[]
  /** What the words are looked for in; null where they are not. */
  search: string | null
  byPerson: boolean
}

const HOUR = 3_600_000
const SPANS = { lastHour: HOUR, lastDay: 24 * HOUR, lastWeek: 7 * 24 * HOUR }

/** The filters of an app's history. Each is a query parameter under the name that it has in `GET /api/runs`. */
export function HistoryFilters({ states, search, byPerson }: HistoryFiltersProps) {
  const t = useWords(historyWords)
  const { get, set } = useListState()
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
        aria-label={t('time')}
        value={get('from') ? 'chosenTime' : ''}
        onChange={(event) => {
          const span = SPANS[event.currentTarget.value as keyof typeof SPANS] as number | undefined
          set({ from: span ? new Date(Date.now() - span).toISOString() : null })
        }}
        data={[
          { value: '', label: t('anyTime') },
          ...Object.keys(SPANS).map((value) => ({ value, label: t(value as keyof typeof SPANS) })),
          ...(get('from') ? [{ value: 'chosenTime', label: t('chosenTime') }] : []),
        ]}
      />
      {byPerson ? (
        <TextInput
          key={person}
          aria-label={t('person')}
          placeholder={t('person')}
          defaultValue={person}
          maxLength={255}
          onBlur={({ currentTarget }) => {
            if (currentTarget.value.trim() !== person) set({ person: currentTarget.value.trim() })
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur()
          }}
        />
      ) : null}
    </div>
  )
}
