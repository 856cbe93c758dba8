import { paths } from '#domain/paths.ts'
import { NoApp } from './NoApp.tsx'
import { InputsPlayground } from './InputsPlayground.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { workflowsMessages } from './workflowsMessages.ts'

/** `/workflows`: the playground of the workflow app in the URL, or an explanation. */
export function WorkflowsPage() {
  const t = useMessages(workflowsMessages)
  const currentWorkspace = useWorkspace()
  const { workspace, findKey, getKeys } = currentWorkspace
  const app = findKey('workflow')
  if (!workspace || !app)
    return (
      <NoApp
        title={t('title')}
        currentWorkspace={currentWorkspace}
        keyKinds={['workflow']}
        problemContext={t('listWorkspaces')}
        emptyTitle={t(workspace ? 'noKey' : 'noWorkspace')}
        emptyText={workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
      />
    )
  return (
    <InputsPlayground
      key={app.id}
      entry="workflows.run"
      title={t('title')}
      emptyText={t('emptyText')}
      workspace={workspace}
      app={app}
      apps={getKeys('workflow')}
      getPath={(id, set) => paths.workflows({ workspace: workspace.id, app: id, set: set ?? null })}
    />
  )
}
