import { Empty } from '../../ui/Empty.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'
import { preloadTurns } from './parts.ts'
import { Playground } from './Playground.tsx'
import classes from './Playground.module.css'

if (/[?&](?:conversation|run)=/.test(window.location.search)) preloadTurns()

/** `/chat`: the playground of the chat app in the URL, or why there is none. */
export function ChatPage() {
  const t = useWords(chatWords)
  const { workspace, keyOf, keysOf, isLoading, problem, retry } = useWorkspace()
  const app = keyOf('chat')
  if (workspace && app) return <Playground key={app.id} workspace={workspace} app={app} apps={keysOf('chat')} />
  return (
    <div className={classes.alone}>
      <h1 className={classes.hidden}>{t('title')}</h1>
      {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
      {problem ? <ProblemNote problem={problem} what={t('listWorkspaces')} onRetry={retry} /> : null}
      {!isLoading && !problem ? (
        <Empty title={t(workspace ? 'noKey' : 'noWorkspace')}>
          {workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceWhy')}
        </Empty>
      ) : null}
    </div>
  )
}
