import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { EMPTY_TABLE_DRAFT } from '../annotations/tableImport/useImportTable.ts'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { batchMessages } from './messages.ts'
import { NewBatch } from './NewBatch.tsx'
import { getRequiredAccess } from '#contract/permissions.ts'
import { batchEndpoints } from '#contract/console/batches.ts'
import { Can } from '../../client/Can.tsx'
import { PermissionNote } from '../../components/layout/PermissionNote.tsx'

/** `/batches/new?app=`: a new batch of a chat, completion or workflow app. */
export function NewBatchPage() {
  const t = useMessages(batchMessages)
  const currentWorkspace = useWorkspace()
  const { get, set } = useSearchParamState()
  const [draft, setDraft] = useState(EMPTY_TABLE_DRAFT)
  const { workspace } = currentWorkspace
  const apps = [
    ...currentWorkspace.getKeys('chat'),
    ...currentWorkspace.getKeys('completion'),
    ...currentWorkspace.getKeys('workflow'),
  ]
  const app = apps.find(({ id }) => id === get('app')) ?? apps[0]
  if (!workspace || !app)
    return (
      <NoApp
        title={t('new')}
        currentWorkspace={currentWorkspace}
        keyKinds={['completion', 'workflow']}
        problemContext={t('listWorkspaces')}
        emptyTitle={t(workspace ? 'noApp' : 'noWorkspace')}
        emptyText={workspace ? t('noAppWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
      />
    )
  return (
    <Page
      title={t('new')}
      breadcrumbs={
        <>
          <Link to={paths.batches({ workspace: workspace.id })}>{t('title')}</Link>
          <span>/</span>
        </>
      }
      titleSuffix={
        <NativeSelect
          aria-label={t('app')}
          value={app.id}
          data={apps.map(({ id, label }) => ({ value: id, label }))}
          onChange={(event) => set({ app: event.currentTarget.value }, { replace: true })}
        />
      }
    >
      <title>{`${t('new')} · Loupe`}</title>
      <Can
        entry={batchEndpoints.createBatch}
        fallback={<PermissionNote {...getRequiredAccess(batchEndpoints.createBatch)} />}
      >
        <NewBatch key={app.id} workspace={workspace} app={app} draft={draft} onDraft={setDraft} />
      </Can>
    </Page>
  )
}
