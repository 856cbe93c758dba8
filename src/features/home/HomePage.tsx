import { Button, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { statsEndpoints } from '#contract/console/stats.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { trimEmptyDays } from './chartSeries.ts'
import { BarChartCard } from './BarChartCard.tsx'
import classes from './Home.module.css'
import { RecentRuns, SectionTitle } from './RecentRuns.tsx'
import { LineChartCard } from './LineChartCard.tsx'
import { homeMessages } from './messages.ts'
import { AlertList } from './AlertList.tsx'
import { WorkspaceHealthCard } from './WorkspaceHealthCard.tsx'
import { Can } from '../../client/Can.tsx'

const RANGE_OPTIONS_DAYS = [7, 14, 30, 90]
const DEFAULT_RANGE_DAYS = 14
/** Milliseconds between looks: sums change slowly, what needs a look and the last runs do not. */
const STATS_POLL_INTERVAL_MS = 30_000
const ALERTS_POLL_INTERVAL_MS = 5_000

/** `/`: the workspaces with their health, what their runs come to, the last runs, and what needs a look. */
export function HomePage() {
  const t = useMessages(homeMessages)
  const list = useSearchParamState()
  const { workspaces, workspace, isLoading, problem, retry } = useWorkspace()
  const days = RANGE_OPTIONS_DAYS.find((span) => String(span) === list.get('days')) ?? DEFAULT_RANGE_DAYS
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  const stats = useRead(statsEndpoints.readStats, { query: { days, zone } }, { pollIntervalMs: STATS_POLL_INTERVAL_MS })
  const alerts = useRead(statsEndpoints.readAlerts, { query: {} }, { pollIntervalMs: ALERTS_POLL_INTERVAL_MS })
  const keys = workspaces.flatMap((one) => one.keys)
  const runs = alerts.data?.runs
  const isNew = runs?.length === 0
  const chartStats = stats.data && trimEmptyDays(stats.data)
  return (
    <Page
      title={t('title')}
      titleSuffix={
        <Text c="dimmed" truncate visibleFrom="xs">
          {t('allWorkspaces', { day: formatToday() })}
        </Text>
      }
      actions={
        <>
          <NativeSelect
            aria-label={t('span')}
            value={String(days)}
            data={RANGE_OPTIONS_DAYS.map((span) => ({ value: String(span), label: t('lastDays', { days: span }) }))}
            onChange={(event) => list.set({ days: event.currentTarget.value })}
          />
          <Can entry={chatEndpoints.send}>
            <Button
              leftSection={<IconMessagePlus size={15} />}
              component={Link}
              to={paths.chat(workspace ? { workspace: workspace.id } : {})}
            >
              {t('newChat')}
            </Button>
          </Can>
        </>
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      <Stack gap="lg" maw={1400} p={{ base: 'md', sm: 'lg' }}>
        <section aria-label={t('workspaces')}>
          <SectionTitle>{t('workspaces')}</SectionTitle>
          {problem ? <ProblemAlert problem={problem} action={t('listWorkspaces')} onRetry={retry} /> : null}
          <SimpleGrid minColWidth="min(260px, 100%)" spacing="sm" aria-busy={isLoading}>
            {workspaces.map((one) => (
              <WorkspaceHealthCard
                key={one.id}
                workspace={one}
                aggregates={stats.data?.by_app.filter((workspaceStats) => workspaceStats.workspace === one.id)}
                drift={alerts.data && (alerts.data.drift.find((newDrift) => newDrift.workspace === one.id)?.count ?? 0)}
              />
            ))}
          </SimpleGrid>
        </section>
        {stats.error ? (
          <ProblemAlert problem={stats.error.problem} action={t('loadStats')} onRetry={() => void stats.refetch()} />
        ) : null}
        {isNew ? (
          <EmptyState
            title={t('emptyTitle')}
            actions={
              <Can entry={chatEndpoints.send}>
                <Button component={Link} to={paths.chat(workspace ? { workspace: workspace.id } : {})}>
                  {t('ask')}
                </Button>
              </Can>
            }
          >
            {t('emptyText')}
          </EmptyState>
        ) : (
          <SimpleGrid minColWidth="min(380px, 100%)" autoFlow="auto-fit">
            <BarChartCard stats={chartStats} keys={keys} days={days} />
            <LineChartCard stats={chartStats} keys={keys} days={days} />
          </SimpleGrid>
        )}
        {alerts.error ? (
          <ProblemAlert problem={alerts.error.problem} action={t('loadAlerts')} onRetry={() => void alerts.refetch()} />
        ) : null}
        <div className={classes.below}>
          {isNew ? null : <RecentRuns runs={runs} keys={keys} />}
          <AlertList alerts={alerts.data} workspaces={workspaces} />
        </div>
      </Stack>
    </Page>
  )
}

const TODAY_FORMAT = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
const formatToday = (): string => TODAY_FORMAT.format(new Date())
