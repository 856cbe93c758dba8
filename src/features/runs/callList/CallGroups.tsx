import { Flex, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  type CallAggregate,
  type CallGroup,
  type CallGroupBy,
  type CallStats,
  MAX_CALL_GROUPS,
} from '#contract/console/calls.ts'
import { RUN_ORIGINS } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { formatDate, formatDateTime } from '#domain/dateFormat.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { Metric } from '../../../components/data/Metric.tsx'
import { Price } from '../../../components/data/Price.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'
import { ORIGIN_LABELS } from './RunMarks.tsx'

export interface CallGroupsProps {
  by: CallGroupBy
  stats: CallStats | undefined
  keys: readonly Key[]
  /** The list of a group, by the filters that make it up. */
  linkTo: (filters: Record<string, string>) => string
}

/** The groups of the filtered calls with their figures; each opens the list of its calls. */
export function CallGroups({ by, stats, keys, linkTo }: CallGroupsProps) {
  const t = useMessages(callListMessages)
  const seconds = (ms: number | null) => (ms === null ? null : t('secondsShort', { seconds: formatSeconds(ms) }))
  const columns: TableColumn<CallGroup>[] = [
    {
      header: toHead(t(GROUP_LABELS[by])),
      grows: true,
      cell: (group) => {
        const filters = toGroupFilters(by, group)
        const label = getGroupLabel(group)
        return filters ? (
          <Link to={linkTo(filters)} dir="auto">
            {label}
          </Link>
        ) : (
          <span className={classes.quiet}>{label}</span>
        )
      },
    },
    { header: toHead(t('calls')), isNumeric: true, cell: ({ calls }) => formatCount(calls) },
    { header: toHead(t('failedCalls')), isNumeric: true, cell: ({ failed }) => formatCount(failed) },
    { header: toHead(t('median')), isNumeric: true, cell: ({ p50 }) => seconds(p50) },
    { header: toHead(t('slowest')), isNumeric: true, cell: ({ p95 }) => seconds(p95) },
    {
      header: toHead(t('tokensInText')),
      isNumeric: true,
      cell: ({ tokens }) => (tokens === null ? null : formatCount(tokens)),
    },
    {
      header: toHead(t('priceInText')),
      isNumeric: true,
      cell: ({ prices }) => (prices.length === 0 ? null : <Prices prices={prices} />),
    },
    { header: toHead(t('last')), isNumeric: true, cell: ({ last_at }) => <RelativeTime at={last_at} /> },
  ]
  return (
    <>
      {by === 'failure' && stats?.groups.length === 0 ? (
        <ListHint>{t('noFailures')}</ListHint>
      ) : (
        <Table label={t('groups')} columns={columns} rows={stats?.groups} getKey={({ value }) => value ?? 'none'} />
      )}
      {by === 'failure' && stats && stats.groups.length > 0 ? <ListHint>{t('failuresNote')}</ListHint> : null}
      {stats?.groups_capped ? <ListHint>{t('groupsCapped', { count: MAX_CALL_GROUPS })}</ListHint> : null}
    </>
  )

  function getGroupLabel({ value, title }: CallGroup): string {
    if (value === null) return by === 'person' ? t('console') : t('noValue')
    if (by === 'app') return keys.find(({ id }) => id === value)?.label ?? t('deletedKey', { id: value.slice(0, 8) })
    if (by === 'conversation') return title || value
    if (by === 'origin') {
      const kind = RUN_ORIGINS.find((one) => one === value)
      return kind ? t(ORIGIN_LABELS[kind]) : value
    }
    if (by === 'day') return formatDate(`${value}T12:00:00`)
    return value
  }
}

/** A column head is capitalized; the same words are used inside sentences of the totals and the menu. */
const toHead = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const GROUP_LABELS = {
  app: 'byApp',
  version: 'byVersion',
  conversation: 'byConversation',
  person: 'byPerson',
  day: 'byDay',
  failure: 'byFailure',
  origin: 'byOrigin',
} as const satisfies Record<CallGroupBy, keyof typeof callListMessages>

/** The filters of a group; null for the calls that have no value, which no filter selects. */
function toGroupFilters(by: CallGroupBy, { value }: CallGroup): Record<string, string> | null {
  if (value === null) return null
  if (by === 'failure') return { error: value }
  if (by !== 'day') return { [by]: value }
  const begin = new Date(`${value}T00:00:00`)
  const end = new Date(begin)
  end.setDate(end.getDate() + 1)
  return { from: begin.toISOString(), to: end.toISOString() }
}

/** A sentence above or below the list. */
export const ListHint = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed" px="lg" py="sm">
    {children}
  </Text>
)

/** Totals and percentiles of the filtered calls; it says so if they cover only the newest ones. */
export function CallTotals({ stats }: { stats: CallStats }) {
  const t = useMessages(callListMessages)
  const { total, is_complete: isComplete, since } = stats
  const seconds = (ms: number | null) => (ms === null ? null : t('secondsShort', { seconds: formatSeconds(ms) }))
  const unclear: [string, ReactNode][] = total.unclear > 0 ? [[t('unclear'), formatCount(total.unclear)]] : []
  const figures: [label: string, value: ReactNode][] = [
    [t('calls'), formatCount(total.calls)],
    [t('failedCalls'), formatCount(total.failed)],
    ...unclear,
    [t('median'), seconds(total.p50)],
    [t('slowest'), seconds(total.p95)],
    [t('firstTokenMedian'), seconds(total.first_token_p50)],
    [t('firstTokenSlowest'), seconds(total.first_token_p95)],
    [t('tokensInText'), total.tokens === null ? null : formatCount(total.tokens)],
    [t('priceInText'), total.prices.length === 0 ? null : <Prices prices={total.prices} />],
  ]
  return (
    <Flex
      component="section"
      wrap="wrap"
      align="center"
      columnGap="lg"
      rowGap={4}
      px="lg"
      py="sm"
      fz="sm"
      aria-label={t('totals')}
    >
      {figures.map(([label, value]) => (
        <Metric key={label} label={label} value={value} />
      ))}
      {total.without_usage > 0 && total.tokens !== null ? (
        <Text span size="sm" c="dimmed">
          {t('withoutUsage', { count: total.without_usage })}
        </Text>
      ) : null}
      {!isComplete && since ? (
        <Text span size="sm" c="dimmed">
          {t.rich('boundedSince', {
            time: () => <time dateTime={since}>{formatDateTime(since)}</time>,
          })}
        </Text>
      ) : null}
    </Flex>
  )
}

/** One price per currency. */
function Prices({ prices }: { prices: CallAggregate['prices'] }) {
  return prices.map(({ currency, total }, index) => (
    <span key={currency}>
      {index > 0 ? ', ' : null}
      <Price price={total} currency={currency} />
    </span>
  ))
}
