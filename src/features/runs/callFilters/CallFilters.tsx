import { formatDateTime, parseDateTime } from '#domain/dateFormat.ts'
import { ActionIcon, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { RUN_RATINGS, RUN_STATUSES } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallFilters.module.css'
import type { CallFilterName, CallFilterValues } from './callFilterParams.ts'
import { callFilterMessages } from './messages.ts'

export interface CallFiltersProps {
  /** Which filters the list has. */
  names: readonly CallFilterName[]
  filters: CallFilterValues
  apps: readonly Key[]
  /** The options of `entry` with their labels. */
  entries: readonly { value: string; label: string }[]
  /** The options of `origin` with their labels. */
  origins?: readonly { value: string; label: string }[]
  onFilters: (change: Record<string, string | null>) => void
}

const HOUR_MS = 3_600_000
const TIME_SPANS_MS = { lastHour: HOUR_MS, lastDay: 24 * HOUR_MS, lastWeek: 7 * 24 * HOUR_MS }

/** The structured filters: behind a button, active ones as chips. Each is a query parameter. */
export function CallFilters({ names, filters, apps, entries, origins = [], onFilters }: CallFiltersProps) {
  const t = useMessages(callFilterMessages)
  const [isOpen, setOpen] = useState(false)
  const shared = { names, filters, onFilters }
  const set = names.filter((name) => name !== 'q' && filters[name] !== undefined)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFilter size={14} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {set.length > 0 ? t('filtered', { count: set.length }) : t('filter')}
      </Button>
      {set.map((name) => (
        <Group key={name} gap={4} h={26} pl="sm" fz="sm" c="var(--primary-text)" className={classes.filter}>
          <Text span inherit c="dimmed">
            {t(FILTER_LABEL_KEYS[name])}
          </Text>
          {formatFilterValue(name, filters[name] ?? '')}
          <ActionIcon
            size={24}
            aria-label={t('remove', {
              name: t(FILTER_LABEL_KEYS[name]),
              value: formatFilterValue(name, filters[name] ?? ''),
            })}
            onClick={() => onFilters({ [name]: null })}
          >
            <IconX size={13} />
          </ActionIcon>
        </Group>
      ))}
      {isOpen ? (
        <div className={classes.filters}>
          <SelectFilter {...shared} name="entry" anyLabel={t('anyKind')} options={entries} />
          <SelectFilter {...shared} name="status" anyLabel={t('anyState')} options={RUN_STATUSES} />
          <SelectFilter
            {...shared}
            name="app"
            anyLabel={t('anyApp')}
            options={apps.map(({ id, label }) => ({ value: id, label }))}
          />
          <SelectFilter {...shared} name="origin" anyLabel={t('anyOrigin')} options={origins} />
          <SelectFilter
            {...shared}
            name="rating"
            anyLabel={t('anyRating')}
            options={RUN_RATINGS.map((value) => ({ value, label: t(value) }))}
          />
          {(['tag', 'person', 'user', 'version', 'resource'] as const).map((name) => (
            <TextFilter key={name} {...shared} name={name} />
          ))}
          <NativeSelect
            label={t('started')}
            value={filters.from || filters.to ? 'chosenTime' : ''}
            onChange={(event) => {
              const span = TIME_SPANS_MS[event.currentTarget.value as keyof typeof TIME_SPANS_MS] as number | undefined
              onFilters({ from: span ? new Date(Date.now() - span).toISOString() : null, to: null })
            }}
            data={[
              { value: '', label: t('anyTime') },
              ...Object.keys(TIME_SPANS_MS).map((value) => ({ value, label: t(value as keyof typeof TIME_SPANS_MS) })),
              ...(filters.from || filters.to ? [{ value: 'chosenTime', label: t('chosenTime') }] : []),
            ]}
          />
          <div className={classes.range}>
            {(['from', 'to'] as const).map((name) => (
              <TimeFilter key={`${name} ${filters[name]}`} {...shared} name={name} />
            ))}
          </div>
        </div>
      ) : null}
    </>
  )

  function formatFilterValue(name: CallFilterName, value: string): string {
    if (name === 'app') return apps.find(({ id }) => id === value)?.label ?? value.slice(0, 8)
    if (name === 'entry') return entries.find((kind) => kind.value === value)?.label ?? value
    if (name === 'origin') return origins.find((origin) => origin.value === value)?.label ?? value
    if (name === 'rating') return value === 'like' || value === 'dislike' ? t(value) : value
    if (name === 'version' || name === 'conversation') return value.slice(0, 8)
    if (name !== 'from' && name !== 'to') return value
    const moment = new Date(value)
    return Number.isNaN(moment.getTime()) ? value : formatDateTime(moment)
  }
}

const FILTER_LABEL_KEYS = {
  q: 'search',
  app: 'app',
  entry: 'kind',
  status: 'state',
  origin: 'origin',
  tag: 'tag',
  rating: 'rating',
  version: 'version',
  conversation: 'conversation',
  error: 'error',
  person: 'startedBy',
  user: 'user',
  resource: 'resource',
  from: 'from',
  to: 'before',
} as const

interface FilterFieldProps<Name extends CallFilterName = CallFilterName> extends Pick<
  CallFiltersProps,
  'names' | 'filters' | 'onFilters'
> {
  name: Name
}

function SelectFilter({
  names,
  name,
  filters,
  onFilters,
  anyLabel,
  options,
}: FilterFieldProps & { anyLabel: string; options: readonly (string | { value: string; label: string })[] }) {
  const t = useMessages(callFilterMessages)
  if (!names.includes(name)) return null
  return (
    <NativeSelect
      label={t(FILTER_LABEL_KEYS[name])}
      value={filters[name] ?? ''}
      onChange={(event) => onFilters({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: anyLabel }, ...options]}
    />
  )
}

/** A name that is matched exactly: it applies on blur or Enter. */
function TextFilter({ names, name, filters, onFilters }: FilterFieldProps) {
  const t = useMessages(callFilterMessages)
  if (!names.includes(name)) return null
  const value = filters[name] ?? ''
  return (
    <TextInput
      key={value}
      label={t(FILTER_LABEL_KEYS[name])}
      defaultValue={value}
      maxLength={255}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value.trim() !== value) onFilters({ [name]: currentTarget.value.trim() })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}

/** A moment, as the console writes it or in ISO 8601, in the browser's zone: it applies on blur or Enter. */
function TimeFilter({ name, filters, onFilters }: FilterFieldProps<'from' | 'to'>) {
  const t = useMessages(callFilterMessages)
  const moment = new Date(filters[name] ?? NaN)
  const shown = Number.isNaN(moment.getTime()) ? '' : formatDateTime(moment)
  const [text, setText] = useState(shown)
  const typed = parseDateTime(text)
  const isInvalid = text.trim() !== '' && typed === null
  return (
    <TextInput
      label={t(FILTER_LABEL_KEYS[name])}
      value={text}
      placeholder={t('timeExample')}
      autoComplete="off"
      maxLength={40}
      error={isInvalid ? t('noTime') : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        if (!isInvalid && text !== shown) onFilters({ [name]: typed?.toISOString() ?? null })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
