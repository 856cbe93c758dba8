import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { GrantNote } from '../../../components/layout/GrantNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { formatGrants, isBeyondGrants } from '../../../client/grants.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { chatMessages } from './messages.ts'
import { preloadChatParts } from './lazyChatParts.ts'
import { ChatPlayground } from './ChatPlayground.tsx'
import classes from './ChatPlayground.module.css'

if (/[?&](?:conversation|run)=/.test(window.location.search)) preloadChatParts()

/** `/chat`: the playground of the chat app in the URL, or an explanation. */
export function ChatPage() {
  const t = useMessages(chatMessages)
  const { workspace, findKey, getKeys, isLoading, problem, retry } = useWorkspace()
  const app = findKey('chat')
  if (workspace && app) return <ChatPlayground key={app.id} workspace={workspace} app={app} apps={getKeys('chat')} />
  return (
    <div className={classes.alone}>
      <h1 className={classes.hidden}>{t('chat')}</h1>
      {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
      {problem ? <ProblemAlert problem={problem} action={t('listWorkspaces')} onRetry={retry} /> : null}
      {isLoading || problem ? null : workspace && isBeyondGrants(workspace, ['chat']) ? (
        <GrantNote workspace={workspace.name} grants={formatGrants(workspace)} />
      ) : (
        <EmptyState title={t(workspace ? 'noKey' : 'noWorkspace')}>
          {workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
        </EmptyState>
      )}
    </div>
  )
}
