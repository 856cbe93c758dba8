import { Button, Group, Stack, Text } from '@mantine/core'
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
import { notify } from '../../../components/overlays/notify.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { workspaceMessages } from './messages.ts'
import { Card, CardTitle, WorkspaceCard } from './WorkspaceCard.tsx'
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
      <Stack gap="lg" p="lg">
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
              {isAdmin ? (
                <MasterKeyPanel from={master} />
              ) : (
                <Text c="var(--text-3)" fz="sm">
                  {t('adminOnly')}
                </Text>
              )}
            </>
          )}
        </ReadBoundary>
      </Stack>
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
  const renew = useWrite(workspaceAdminEndpoints.rotateMasterKey, {
    onDone: ({ sealed }) => notify(t('renewed', { count: sealed })),
  })
  return (
    <Card label={t('master')}>
      <Group justify="space-between">
        <CardTitle>{t('master')}</CardTitle>
        {from === 'file' ? (
          <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate({})}>
            {t('renew')}
          </Button>
        ) : null}
      </Group>
      <Text c="var(--text-3)" fz="sm">
        {t(from === 'file' ? 'masterFile' : 'masterEnvironment')}
      </Text>
      {renew.error ? <ProblemAlert problem={renew.error.problem} action={t('renewWhat')} /> : null}
    </Card>
  )
}
