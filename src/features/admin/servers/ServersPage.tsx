import { type Server, serverEndpoints } from '#contract/console/servers.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { SettingDifferences } from './SettingDifferences.tsx'
import { ServerTable } from './ServerTable.tsx'
import { serverMessages } from './messages.ts'
import classes from './Servers.module.css'

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
