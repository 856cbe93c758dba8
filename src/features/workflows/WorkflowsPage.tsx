import { paths } from '../../paths.ts'
import { NoApp } from '../../run/playground/NoApp.tsx'
import { Playground } from '../../run/playground/Playground.tsx'
import { useWords } from '../../ui/words.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { workflowsWords } from './messages.ts'

/** `/workflows`: the playground of the workflow app in the URL, or why there is none. */
export function WorkflowsPage() {
  const t = useWords(workflowsWords)
  const here = useWorkspace()
  const { workspace, keyOf, keysOf } = here
  const app = keyOf('workflow')
  if (!workspace || !app)
    return (
      <NoApp
        title={t('title')}
        here={here}
        listing={t('listWorkspaces')}
        missing={t(workspace ? 'noKey' : 'noWorkspace')}
        why={workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceWhy')}
      />
    )
  return (
    <Playground
      key={app.id}
      entry="workflows.run"
      title={t('title')}
      emptyText={t('emptyText')}
      workspace={workspace}
      app={app}
      apps={keysOf('workflow')}
      pathOf={(id, set) => paths.workflows({ workspace: workspace.id, app: id, set: set ?? null })}
    />
  )
}
