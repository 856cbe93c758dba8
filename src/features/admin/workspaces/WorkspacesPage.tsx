import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { workspaceAdminEndpoints } from '#contract/console/admin/workspaceAdmin.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { workspaceMessages } from './messages.ts'
import { WorkspaceCard } from './WorkspaceCard.tsx'
import classes from './Workspaces.module.css'
import { usePermission } from '../../../client/usePermission.ts'

/** Poll interval (ms), so that a newly rejected key becomes visible. */
const WORKSPACES_POLL_INTERVAL_MS = 5_000

/** `/workspaces`: the platforms with their keys and dialects. */
export function WorkspacesPage() {
  const t = useMessages(workspaceMessages)
  const read = useRead(workspaceEndpoints.listWorkspaces, {}, { pollIntervalMs: WORKSPACES_POLL_INTERVAL_MS })
  const isAdmin = usePermission()(workspaceAdminEndpoints.createWorkspace)
  const { select } = useWorkspace()
  const [adding, setAdding] = useState(false)
  const add = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={isAdmin ? add : null}>
      <title>{`${t('title')} · Loupe`}</title>
      <div className={classes.page}>
        <ReadBoundary read={read} action={t('listWorkspaces')} loading={<SkeletonRows rows={3} height={120} />}>
          {({ data: workspaces, master }) => (
            <>
              {workspaces.length === 0 ? (
                <EmptyState title={t('noWorkspace')} actions={isAdmin ? add : null}>
                  {t('emptyText')}
                </EmptyState>
              ) : null}
              {workspaces.map((workspace) => (
                <WorkspaceCard key={workspace.id} workspace={workspace} isAdmin={isAdmin} />
              ))}
              {isAdmin ? <MasterKeyPanel from={master} /> : <p className={classes.note}>{t('adminOnly')}</p>}
            </>
          )}
        </ReadBoundary>
      </div>
      {adding ? (
        <AddPlatform
          onClose={() => setAdding(false)}
          onAdded={(workspace_id) => {
            setAdding(false)
            select(workspace_id)
          }}
        />
      ) : null}
    </Page>
  )
}

/** The source of the master key, and its rotation. */
function MasterKeyPanel({ from }: { from: 'file' | 'environment' }) {
  const t = useMessages(workspaceMessages)
  const renew = useWrite(workspaceAdminEndpoints.rotateMasterKey)
  return (
    <section className={classes.card} aria-label={t('master')}>
      <div className={classes.head}>
        <h2>{t('master')}</h2>
        {from === 'file' ? (
          <div className={classes.actions}>
            <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate({})}>
              {t('renew')}
            </Button>
          </div>
        ) : null}
      </div>
      <p className={classes.note}>{t(from === 'file' ? 'masterFile' : 'masterEnvironment')}</p>
      {renew.data ? <p role="status">{t('renewed', { count: renew.data.sealed })}</p> : null}
      {renew.error ? <ProblemAlert problem={renew.error.problem} action={t('renewWhat')} /> : null}
    </section>
  )
}
