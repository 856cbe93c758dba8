import { Button, Group } from '@mantine/core'
import { Link, Navigate } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { paths } from '#domain/paths.ts'
import { AdoptRun } from '../detail/AdoptRun.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { runListMessages } from '../list/messages.ts'
import { usePermission } from '../../../client/usePermission.ts'

/** Shown for an unknown run id: the run may exist on the platform, from where it can be imported. */
export function RunNotFound({ run_id }: { run_id: string }) {
  const t = useMessages(runListMessages)
  const { workspace, getKeys } = useWorkspace()
  const can = usePermission()(runInsightEndpoints.adoptRun)
  const isId = Id.safeParse(run_id).success
  const appFromUrl = useRead(runEndpoints.listRuns, { query: { resource: run_id, limit: 1 } }, { enabled: isId })
  const run = appFromUrl.data?.data[0]
  if (run) return <Navigate to={paths.run(run.id, { workspace: run.workspace })} replace />
  const apps = getKeys('workflow')
  const canAdopt = can && isId && apps.length > 0
  return (
    <Page
      title={t('notFound')}
      breadcrumbs={
        <>
          <Link to={paths.runs()}>{t('runs')}</Link> /
        </>
      }
    >
      <EmptyState
        title={t('noSuchRun', { id: run_id.slice(0, 80) })}
        actions={
          <Button component={Link} to={paths.runs()} variant={isId && apps.length > 0 ? 'default' : 'filled'}>
            {t('toRuns')}
          </Button>
        }
      >
        {t('noSuchRunText')} {canAdopt ? t('noSuchRunAsk') : null}
      </EmptyState>
      {canAdopt && workspace ? (
        <Group justify="center" px="lg" pb="xl">
          <AdoptRun apps={apps} workspace={workspace.id} initial={run_id} />
        </Group>
      ) : null}
    </Page>
  )
}
