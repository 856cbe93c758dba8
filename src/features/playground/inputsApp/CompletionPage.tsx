import { paths } from '#domain/paths.ts'
import { NoApp } from './NoApp.tsx'
import { InputsPlayground } from './InputsPlayground.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { completionMessages } from './completionMessages.ts'

/** `/completion`: the playground of the completion app in the URL, or an explanation. */
export function CompletionPage() {
  const t = useMessages(completionMessages)
  const currentWorkspace = useWorkspace()
  const { workspace, findKey, getKeys } = currentWorkspace
  const app = findKey('completion')
  if (!workspace || !app)
    return (
      <NoApp
        title={t('completion')}
        currentWorkspace={currentWorkspace}
        keyKinds={['completion']}
        problemContext={t('listWorkspaces')}
        emptyTitle={t(workspace ? 'noKey' : 'noWorkspace')}
        emptyText={workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
      />
    )
  return (
    <InputsPlayground
      key={app.id}
      entry="completion.send"
      title={t('completion')}
      emptyText={t('emptyText')}
      workspace={workspace}
      app={app}
      apps={getKeys('completion')}
      getPath={(id, set) => paths.completion({ workspace: workspace.id, app: id, set: set ?? null })}
    />
  )
}
