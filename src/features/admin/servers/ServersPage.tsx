import { type Server, serverEndpoints, type SettingDifference } from '#contract/console/servers.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { serverMessages } from './messages.ts'
import classes from './Servers.module.css'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'

const POLL_INTERVAL_MS = 5_000

/** `/servers`: the servers that share the database, and the settings in which they differ. */
export function ServersPage() {
  const t = useMessages(serverMessages)
  const isAdmin = usePermission()(serverEndpoints.listServers)
  const { data, error, refetch } = useRead(
    serverEndpoints.listServers,
    {},
    { enabled: isAdmin, pollIntervalMs: POLL_INTERVAL_MS },
  )
  const live = data?.data.filter(({ state }) => state !== 'not_responding') ?? []
  const versionCount = new Set(live.map(({ version }) => version)).size
  return (
    <Page title={t('title')} titleSuffix={data ? <span className={classes.count}>{data.data.length}</span> : null}>
      <title>{`${t('title')} · Loupe`}</title>
      {isAdmin ? null : <EmptyState title={t('title')}>{t('adminOnly')}</EmptyState>}
      {error ? (
        <div className={classes.section}>
          <ProblemAlert problem={error.problem} action={t('readServers')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {data?.database === 'embedded' ? <p className={classes.note}>{t('embeddedText')}</p> : null}
      {data && data.setting_differences.length > 0 ? (
        <SettingDifferences differences={data.setting_differences} servers={data.data} />
      ) : null}
      {versionCount > 1 ? <p className={classes.note}>{t('versionsDiffer', { count: versionCount })}</p> : null}
      {isComparedEqual(live, data?.setting_differences.length) ? (
        <p className={classes.note}>{t('sameSettings')}</p>
      ) : null}
      {isAdmin && (data || !error) ? <ServerTable servers={data?.data} /> : null}
    </Page>
  )
}

/** A release that does not describe itself is not compared. */
const isComparedEqual = (live: readonly Server[], differenceCount: number | undefined): boolean =>
  differenceCount === 0 && live.length > 1 && live.every(({ version }) => version !== null)

interface SettingDifferencesProps {
  differences: readonly SettingDifference[]
  servers: readonly Server[]
}

/** The settings whose values differ, with the servers of each value. */
function SettingDifferences({ differences, servers }: SettingDifferencesProps) {
  const t = useMessages(serverMessages)
  const toName = (id: string) => {
    const { hostname, address } = servers.find((server) => server.id === id) ?? {}
    return [hostname ?? id.slice(0, 8), address].filter(Boolean).join(' ')
  }
  return (
    <section className={classes.differences}>
      <h2>{t('differencesTitle', { count: differences.length })}</h2>
      <p>{t('differencesText')}</p>
      <dl>
        {differences.map(({ name, groups }) => (
          <div key={name}>
            <dt>{name}</dt>
            {groups.map((ids, index) => (
              <dd key={ids[0]}>{t('valueOf', { number: index + 1, servers: ids.map(toName).join(', ') })}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

const STATE_HELP = {
  ready: null,
  draining: 'drainingHelp',
  stopping: 'stoppingHelp',
  not_responding: 'notRespondingHelp',
} as const

function ServerTable({ servers }: { servers: Server[] | undefined }) {
  const t = useMessages(serverMessages)
  return (
    <Table
      label={t('title')}
      rows={servers}
      getKey={({ id }) => id}
      columns={[
        { header: t('server'), grows: true, cell: (server) => <ServerName server={server} /> },
        {
          header: t('state'),
          cell: ({ state }) => {
            const help = STATE_HELP[state]
            return <StatusBadge status={t(`state_${state}`)} title={help ? t(help) : undefined} />
          },
        },
        { header: t('version'), isMono: true, cell: ({ version }) => version ?? t('earlierVersion') },
        { header: t('started'), cell: ({ started_at }) => (started_at ? <RelativeTime at={started_at} /> : null) },
        { header: t('activeRuns'), isNumeric: true, cell: ({ active_runs }) => active_runs },
        { header: t('openStreams'), isNumeric: true, cell: ({ open_streams }) => open_streams },
        {
          header: t('delay'),
          isNumeric: true,
          cell: ({ event_loop_delay_ms }) => (
            <Tooltip label={t('delayHelp')}>
              <span tabIndex={0}>{t('milliseconds', { ms: event_loop_delay_ms })}</span>
            </Tooltip>
          ),
        },
        {
          header: t('heartbeat'),
          isNumeric: true,
          cell: ({ heartbeat_age_ms }) => t('secondsAgo', { seconds: Math.round(heartbeat_age_ms / 1000) }),
        },
      ]}
    />
  )
}

function ServerName({ server: { id, hostname, address, is_this } }: { server: Server }) {
  const t = useMessages(serverMessages)
  return (
    <span className={classes.name}>
      {hostname ? <b>{hostname}</b> : <IdChip id={id} />}
      {address ? <code>{address}</code> : null}
      {is_this ? <small>{t('thisServer')}</small> : null}
    </span>
  )
}
