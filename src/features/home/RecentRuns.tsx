import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { Price } from '../../components/data/Price.tsx'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Home.module.css'
import { homeMessages } from './messages.ts'

/** The newest runs of all workspaces. */
export function RecentRuns({ runs, keys }: { runs: readonly Run[] | undefined; keys: readonly Key[] }) {
  const t = useMessages(homeMessages)
  const columns: TableColumn<Run>[] = [
    {
      header: t('state'),
      // A column of green says nothing.
      cell: ({ status, stop }) =>
        status === 'succeeded' ? (
          <Text span inherit c="var(--text-3)">
            {status}
          </Text>
        ) : (
          <StatusBadge
            status={status}
            title={stop?.had_effect && stop.person !== null ? t('stoppedBy', { person: stop.person }) : undefined}
          />
        ),
    },
    {
      header: t('run'),
      grows: true,
      cell: (run) => (
        <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
          {run.title || t('untitled')}
        </Link>
      ),
    },
    {
      header: t('app'),
      cell: ({ key }) => keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) }),
    },
    {
      header: t('time'),
      isNumeric: true,
      cell: ({ duration_ms, status }) =>
        duration_ms === null
          ? isActiveStatus(status)
            ? t('running')
            : null
          : t('secondsShort', { seconds: formatSeconds(duration_ms) }),
    },
    {
      header: t('tokens'),
      isNumeric: true,
      cell: ({ total_tokens }) => (total_tokens === null ? null : formatCount(total_tokens)),
    },
    { header: t('price'), isNumeric: true, cell: (run) => <Price price={run.total_price} currency={run.currency} /> },
    { header: t('when'), isNumeric: true, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ]
  return (
    <section aria-label={t('lastRuns')}>
      <SectionTitle>
        {t('lastRuns')}
        <Text component={Link} to={paths.runs()} fz="sm" className={classes.link}>
          {t('allRuns')}
        </Text>
      </SectionTitle>
      <Paper className={classes.box}>
        <Table label={t('newestFirst')} columns={columns} rows={runs} getKey={({ id }) => id} />
      </Paper>
    </section>
  )
}

export const SectionTitle = ({ children }: { children: ReactNode }) => (
  <Group component="h2" gap="sm" align="baseline" m={0} mb="sm" fz="md" fw={600}>
    {children}
  </Group>
)
