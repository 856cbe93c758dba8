import type { Server } from '#contract/console/servers.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { serverMessages } from './messages.ts'
import classes from './Servers.module.css'

const STATE_HELP = {
  ready: null,
  draining: 'drainingHelp',
  stopping: 'stoppingHelp',
  not_responding: 'notRespondingHelp',
} as const

export function ServerTable({ servers }: { servers: Server[] | undefined }) {
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
