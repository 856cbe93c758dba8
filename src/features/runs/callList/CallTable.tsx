import { Checkbox } from '@mantine/core'
import { IconCornerDownRight, IconNote } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CallSort } from '#contract/console/callQuery.ts'
import { isActiveStatus, RUN_FIGURES } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { Price } from '../../../components/data/Price.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { RowCheckbox } from '../../../components/data/RowCheckbox.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table } from '../../../components/data/Table.tsx'
import {
  type ChoosableColumn,
  type ColumnVisibility,
  useColumnVisibility,
} from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import type { CallListPreset, CallOrder } from './callListParams.ts'
import { type CallListRow, RUN_KINDS } from './callListRow.ts'
import { callListMessages } from './messages.ts'
import { OriginChip, RatingMark } from './RunMarks.tsx'
import type { CallSelection } from './SelectionBar.tsx'

export interface CallTableProps {
  label: string
  columns: readonly ChoosableColumn<CallListRow>[]
  rows: readonly CallListRow[] | undefined
  selection: CallSelection
  current?: string | undefined
}

/** One row per call, with a checkbox. The link of its name covers the row. */
export function CallTable({ label, columns, rows, selection, current }: CallTableProps) {
  const t = useMessages(callListMessages)
  const select: ChoosableColumn<CallListRow> = {
    id: 'select',
    header: t('selectAll'),
    headerCell: rows ? (
      <Checkbox
        aria-label={t('selectAll')}
        checked={rows.length > 0 && rows.every(({ id }) => selection.has(id))}
        indeterminate={selection.rows.length > 0 && !rows.every(({ id }) => selection.has(id))}
        onChange={(event) => selection.setAll(event.currentTarget.checked ? rows : [])}
      />
    ) : (
      ''
    ),
    cell: (row) => (
      <RowCheckbox
        label={t('selectRow', { title: row.title || row.entry })}
        isSelected={selection.has(row.id)}
        onToggle={({ isRange }) => selection.toggle(row, isRange ? rows : undefined)}
      />
    ),
  }
  return (
    <div className={classes.table}>
      <Table
        label={label}
        columns={[select, ...columns]}
        rows={rows}
        getKey={({ id }) => id}
        isCurrent={({ id }) => id === current || selection.has(id)}
        rowActions={{ onSelect: (row, { isRange }) => selection.toggle(row, isRange ? rows : undefined) }}
      />
    </div>
  )
}

export interface CallColumnDeps {
  keys: readonly Key[]
  linkTo: (row: CallListRow) => string
  words: string | undefined
  order: CallOrder
  onSort: (sort: CallSort) => void
}

const FIGURE_COLUMNS = ['firstToken', 'duration', 'tokens', 'price'] as const

/** The columns that the list can have. */
export function useCallColumns({ keys, linkTo, words, order, onSort }: CallColumnDeps): ChoosableColumn<CallListRow>[] {
  const t = useMessages(callListMessages)
  const time = (row: CallListRow, ms: number | null) =>
    ms === null ? t(isActiveStatus(row.status) ? 'running' : 'none') : t('secondsShort', { seconds: formatSeconds(ms) })
  const sortBy = (sort: CallSort) => ({
    sort: {
      direction: order.sort !== sort ? null : order.order === 'asc' ? ('ascending' as const) : ('descending' as const),
      onToggle: () => onSort(sort),
    },
  })
  const getKeyLabel = ({ key }: CallListRow) =>
    keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) })
  const getKind = ({ entry }: CallListRow) =>
    entry in RUN_KINDS ? t(`${RUN_KINDS[entry as keyof typeof RUN_KINDS]}Run`) : entry
  return [
    {
      id: 'name',
      header: t('call'),
      grows: true,
      cell: (row) => (
        <CallNameCell
          row={row}
          link={linkTo(row)}
          words={words}
          app={getKeyLabel(row)}
          duration={time(row, row.duration_ms)}
          stopTitle={getStopTitle(row)}
        />
      ),
    },
    {
      id: 'state',
      header: t('state'),
      cell: (row) =>
        row.status === 'succeeded' ? (
          <span className={classes.quiet}>{row.status}</span>
        ) : (
          <StatusBadge status={row.status} isPlain title={getStopTitle(row)} />
        ),
    },
    { id: 'kind', header: t('kind'), cell: getKind },
    { id: 'app', header: t('app'), cell: getKeyLabel },
    {
      id: 'origin',
      header: t('origin'),
      cell: (row) => (row.origin ? <OriginChip origin={row.origin} workspace={row.workspace} /> : getMissing(row)),
    },
    {
      id: 'rating',
      header: t('rating'),
      cell: ({ rating }) => (rating ? <RatingMark rating={rating} /> : t('none')),
    },
    { id: 'person', header: t('startedBy'), cell: ({ person }) => person ?? t('console') },
    { id: 'user', header: t('user'), isMono: true, cell: ({ user }) => user },
    { id: 'version', header: t('version'), isMono: true, cell: ({ workflow_id }) => workflow_id?.slice(0, 8) },
    {
      id: 'conversation',
      header: t('conversation'),
      isMono: true,
      cell: ({ conversation_id }) => conversation_id?.slice(0, 8),
    },
    {
      id: 'error',
      header: t('error'),
      cell: ({ error_message: message }) =>
        message ? (
          <span className={classes.error} title={message}>
            {message}
          </span>
        ) : (
          t('none')
        ),
    },
    ...FIGURE_COLUMNS.map((name) => ({
      id: name,
      header: t(name),
      isNumeric: true,
      ...sortBy(RUN_FIGURES[name].sort),
      cell: (row: CallListRow) => toFigureCell(row, RUN_FIGURES[name]),
    })),
    {
      id: 'started',
      header: t('started'),
      isNumeric: true,
      ...sortBy('started'),
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ]

  function toFigureCell(row: CallListRow, figure: (typeof RUN_FIGURES)[(typeof FIGURE_COLUMNS)[number]]) {
    if (figure.unit === 'ms') return time(row, row[figure.field])
    if (figure.unit === 'price')
      return row[figure.field] ? <Price price={row[figure.field]} currency={row.currency} /> : getMissing(row)
    const count = row[figure.field]
    return count === null ? getMissing(row) : formatCount(count)
  }

  /** A dash if there can be no figure; "not given" if the platform did not send it. */
  function getMissing({ entry }: CallListRow): string | null {
    return entry in RUN_KINDS ? null : t('none')
  }

  function getStopTitle({ status, stop, error_message }: CallListRow): string | undefined {
    if (stop?.had_effect && stop.person !== null) return t('stoppedBy', { person: stop.person })
    return status === 'stopped' ? (error_message ?? undefined) : undefined
  }
}

interface CallNameCellProps {
  row: CallListRow
  link: string
  /** What was searched for; the text round a match is shown when the title does not have it. */
  words: string | undefined
  app: string
  duration: string
  /** Who stopped the run. */
  stopTitle: string | undefined
}

/** The name of a call with its marks; on a narrow screen also what the other columns say. */
function CallNameCell({ row, link, words, app, duration, stopTitle }: CallNameCellProps) {
  const t = useMessages(callListMessages)
  return (
    <span className={classes.name}>
      <span className={classes.icon}>
        {row.status === 'succeeded' ? null : <StatusBadge status={row.status} isBare title={stopTitle} />}
      </span>
      <span className={classes.lines}>
        <span className={classes.line}>
          {row.parent ? (
            <IconCornerDownRight size={14} role="img" aria-label={t('madeFrom', { id: row.parent.slice(0, 8) })} />
          ) : null}
          <Link to={link} dir="auto">
            {row.title || (row.entry in RUN_KINDS ? t('untitled') : row.entry)}
          </Link>
          {row.tags?.map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
          {row.run_note ? <IconNote size={14} role="img" aria-label={row.run_note} title={row.run_note} /> : null}
        </span>
        {words && row.excerpt && !row.title.toLowerCase().includes(words.toLowerCase()) ? (
          <MatchExcerpt text={row.excerpt} words={words} />
        ) : null}
        <span className={classes.second}>
          {row.status === 'succeeded' ? null : <StatusBadge status={row.status} isPlain />}
          <span>{app}</span>
          <span>{duration}</span>
          <RelativeTime at={row.created_at} />
        </span>
      </span>
    </span>
  )
}

/** The part of a call where a search found its words, with the words marked. */
function MatchExcerpt({ text, words }: { text: string; words: string }) {
  const at = text.toLowerCase().indexOf(words.toLowerCase().replaceAll(/\s+/g, ' '))
  if (at < 0) return <small className={classes.excerpt}>{text}</small>
  const end = at + words.length
  return (
    <small className={classes.excerpt} dir="auto">
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </small>
  )
}

/** Columns that are hidden until they are chosen. */
const HIDDEN_COLUMNS = {
  runs: ['state', 'kind', 'version', 'conversation', 'error', 'user'],
  calls: ['state', 'version', 'conversation', 'error', 'user', 'origin', 'rating', 'firstToken'],
}

/**
 * The columns of the list: the person's own choice, or that of a view, which is in the URL (`columns=app,duration`) and there
 * from then on.
 */
export function useListColumns(
  preset: CallListPreset,
  all: readonly ChoosableColumn<CallListRow>[],
): ColumnVisibility<CallListRow> {
  const { get, set } = useSearchParamState()
  const own = useColumnVisibility(preset, all, HIDDEN_COLUMNS[preset])
  const named = get('columns')?.split(',')
  if (!named) return own
  const isVisible = (id: string) => id === all[0]?.id || named.includes(id)
  return {
    all,
    visible: all.filter(({ id }) => isVisible(id)),
    isVisible,
    toggle: (id) => {
      const next = isVisible(id) ? named.filter((one) => one !== id) : [...named, id]
      set({ columns: next.join(','), before: get('before') ?? null }, { replace: true })
    },
  }
}
