import { IconCornerDownRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { paths } from '#domain/paths.ts'
import { Price } from '../../../components/data/Price.tsx'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { RUN_KINDS } from './runKinds.ts'
import { runListMessages } from './messages.ts'
import classes from './Runs.module.css'

/** Runs of every kind, one per row. The state is shown only if it is not `succeeded`. */
export function RunsTable({ rows, keys }: { rows: readonly Run[] | undefined; keys: readonly Key[] }) {
  const t = useMessages(runListMessages)
  const time = (run: Run, ms: number | null) =>
    ms === null ? t(isActiveStatus(run.status) ? 'running' : 'none') : t('secondsShort', { seconds: formatSeconds(ms) })
  const columns: TableColumn<Run>[] = [
    {
      header: t('run'),
      grows: true,
      cell: (run) => (
        <span className={classes.name}>
          {run.status === 'succeeded' ? null : <StatusBadge status={run.status} isPlain title={getStopTitle(run)} />}
          {run.parent ? (
            <IconCornerDownRight
              size={14}
              role="img"
              aria-label={t('madeFrom', { id: run.parent.slice(0, 8) })}
              className={classes.child}
            />
          ) : null}
          <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
            {run.title || t('untitled')}
          </Link>
        </span>
      ),
    },
    { header: t('kind'), cell: (run) => t(RUN_KINDS[run.entry]) },
    { header: t('app'), cell: (run) => getKeyLabel(run) },
    { header: t('user'), isMono: true, cell: (run) => run.user },
    { header: t('startedBy'), cell: (run) => run.person },
    { header: t('firstToken'), isNumeric: true, cell: (run) => time(run, run.first_token_ms) },
    { header: t('duration'), isNumeric: true, cell: (run) => time(run, run.duration_ms) },
    {
      header: t('tokens'),
      isNumeric: true,
      cell: (run) => (run.total_tokens === null ? null : formatCount(run.total_tokens)),
    },
    { header: t('price'), isNumeric: true, cell: (run) => <Price price={run.total_price} currency={run.currency} /> },
    { header: t('started'), isNumeric: true, cell: (run) => <RelativeTime at={run.created_at} /> },
  ]
  return <Table label={t('runs')} columns={columns} rows={rows} getKey={({ id }) => id} />

  function getStopTitle({ stop }: Run): string | undefined {
    return stop?.had_effect && stop.person !== null ? t('stoppedBy', { person: stop.person }) : undefined
  }

  function getKeyLabel(run: Run): string {
    return keys.find(({ id }) => id === run.key)?.label ?? t('deletedKey', { id: run.key.slice(0, 8) })
  }
}
