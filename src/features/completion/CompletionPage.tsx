import { paths } from '../../paths.ts'
import { NoApp } from '../../run/playground/NoApp.tsx'
import { Playground } from '../../run/playground/Playground.tsx'
import { useWords } from '../../ui/words.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { completionWords } from './messages.ts'

/** `/completion`: the playground of the completion app in the URL, or why there is none. */
export function CompletionPage() {
  const t = useWords(completionWords)
  const here = useWorkspace()
  const { workspace, keyOf, keysOf } = here
  const app = keyOf('completion')
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
      entry="completion.send"
      title={t('title')}
      emptyText={t('emptyText')}
      workspace={workspace}
      app={app}
      apps={keysOf('completion')}
      pathOf={(id, set) => paths.completion({ workspace: workspace.id, app: id, set: set ?? null })}
    />
  )
}
