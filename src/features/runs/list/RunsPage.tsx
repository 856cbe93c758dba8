import { Box, Button } from '@mantine/core'
import { IconDownload, IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../../client/Can.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { CallListView } from '../callList/CallListView.tsx'
import { AdoptRun } from '../detail/AdoptRun.tsx'
import { runListMessages } from './messages.ts'

/** `/runs`: the list of calls with the runs as default. A run opens on its own page. */
export function RunsPage() {
  const t = useMessages(runListMessages)
  const { workspace, getKeys } = useWorkspace()
  const list = useSearchParamState()
  const canAdopt = usePermission()(runInsightEndpoints.adoptRun)
  const isAdopting = canAdopt && list.get('adopt') !== undefined
  const workflows = getKeys('workflow')
  return (
    <CallListView
      preset="runs"
      actions={
        <>
          {canAdopt && workflows.length > 0 ? (
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              aria-expanded={isAdopting}
              onClick={() => list.set({ adopt: isAdopting ? null : 1 }, { replace: true })}
            >
              {t('loadRunById')}
            </Button>
          ) : null}
          <Button variant="default" leftSection={<IconFileImport size={14} />} component={Link} to={paths.openRun()}>
            {t('openFile')}
          </Button>
        </>
      }
      header={
        isAdopting && workspace ? (
          <Box px="lg" py="sm" style={{ borderBottom: '1px solid var(--line)' }}>
            <AdoptRun apps={workflows} workspace={workspace.id} />
          </Box>
        ) : null
      }
      linkTo={(run) => paths.run(run.id, { workspace: run.workspace })}
      emptyState={
        <EmptyState
          title={t('emptyTitle')}
          actions={
            <Can entry={chatEndpoints.send}>
              <Button component={Link} to={paths.chat(workspace ? { workspace: workspace.id } : {})}>
                {t('askOne')}
              </Button>
            </Can>
          }
        >
          {t('emptyText')}
        </EmptyState>
      }
    />
  )
}
