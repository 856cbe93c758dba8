import { Box, Group, Paper, Stack, Text } from '@mantine/core'
import { type Server, type ServerList, serverEndpoints, type SettingDifference } from '#contract/console/servers.ts'
import { ResourceListPage } from '../../../components/layout/ResourceListPage.tsx'
import { AdminOnlyPage } from '../AdminOnlyPage.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { serverMessages } from './messages.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'

const POLL_INTERVAL_MS = 5_000

/** `/servers`: the servers that share the database, and the settings in which they differ. */
export function ServersPage() {
  const t = useMessages(serverMessages)
  const isAdmin = usePermission()(serverEndpoints.listServers)
  const read = useRead(serverEndpoints.listServers, {}, { enabled: isAdmin, pollIntervalMs: POLL_INTERVAL_MS })
  if (!isAdmin) return <AdminOnlyPage title={t('title')}>{t('adminOnly')}</AdminOnlyPage>
  return (
    <ResourceListPage<Server>
      title={t('title')}
      count={read.data?.data.length}
      note={read.data ? <ServerNotes list={read.data} /> : null}
      read={read}
      action={t('readServers')}
      empty={null}
      rows={read.data?.data}
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

/** Above the table: what to know of the database, the settings and the versions. */
function ServerNotes({ list: { database, data: servers, setting_differences } }: { list: ServerList }) {
  const t = useMessages(serverMessages)
  const live = servers.filter(({ state }) => state !== 'not_responding')
  const versionCount = new Set(live.map(({ version }) => version)).size
  return (
    <>
      {database === 'embedded' ? <PageNote>{t('embeddedText')}</PageNote> : null}
      {setting_differences.length > 0 ? (
        <SettingDifferences differences={setting_differences} servers={servers} />
      ) : null}
      {versionCount > 1 ? <PageNote>{t('versionsDiffer', { count: versionCount })}</PageNote> : null}
      {isComparedEqual(live, setting_differences.length) ? <PageNote>{t('sameSettings')}</PageNote> : null}
    </>
  )
}

const PageNote = ({ children }: { children: string }) => (
  <Text px="lg" py="md" c="dimmed" fz="sm">
    {children}
  </Text>
)

/** A release that does not describe itself is not compared. */
const isComparedEqual = (live: readonly Server[], differenceCount: number): boolean =>
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
    <Paper
      component="section"
      mx="lg"
      my="md"
      px="lg"
      py="md"
      fz="sm"
      style={{ borderColor: 'var(--interrupted-solid)' }}
    >
      <Text component="h2" fw={600} c="var(--interrupted-fg)">
        {t('differencesTitle', { count: differences.length })}
      </Text>
      <Text c="dimmed" fz="sm" mb="sm">
        {t('differencesText')}
      </Text>
      <Stack component="dl" gap="sm">
        {differences.map(({ name, groups }) => (
          <div key={name}>
            <Box component="dt" ff="monospace">
              {name}
            </Box>
            {groups.map((ids, index) => (
              <Box key={ids[0]} component="dd" m={0} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {t('valueOf', { number: index + 1, servers: ids.map(toName).join(', ') })}
              </Box>
            ))}
          </div>
        ))}
      </Stack>
    </Paper>
  )
}

const STATE_HELP = {
  ready: null,
  draining: 'drainingHelp',
  stopping: 'stoppingHelp',
  not_responding: 'notRespondingHelp',
} as const

function ServerName({ server: { id, hostname, address, is_this } }: { server: Server }) {
  const t = useMessages(serverMessages)
  return (
    <Group component="span" gap="sm" wrap="nowrap">
      {hostname ? <b>{hostname}</b> : <IdChip id={id} />}
      {address ? <code>{address}</code> : null}
      {is_this ? <small>{t('thisServer')}</small> : null}
    </Group>
  )
}
