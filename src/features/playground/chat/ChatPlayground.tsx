import { Suspense } from 'react'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { LazyDrawer } from '../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { InspectorEmpty } from '../../runs/inspector/InspectorEmpty.tsx'
import type { InspectorTab } from '../../runs/inspector/inspectorTabs.ts'
import { ChatMain } from './ChatMain.tsx'
import { ConversationList } from './conversations/ConversationList.tsx'
import classes from './ChatPlayground.module.css'
import { LazyRunInspector, LazyVariablesTab } from './lazyChatParts.ts'
import { chatMessages } from './messages.ts'
import { useChatPlayground } from './useChatPlayground.ts'

export interface ChatPlaygroundProps {
  workspace: Workspace
  app: Key
  apps: readonly Key[]
}

/** The chat playground of one app: conversations, transcript with composer, inspector. */
export function ChatPlayground({ workspace, app, apps }: ChatPlaygroundProps) {
  const t = useMessages(chatMessages)
  const chat = useChatPlayground(workspace, app)
  const { route, setRoute, conversationRead, panes, label, canSend, hasVariables } = chat
  const { inspectedRun, owner } = chat.transcript
  const { conversation } = route
  const list = (
    <ConversationList
      workspace={workspace.id}
      app={app}
      user={chat.defaultUser}
      selected={conversation}
      selectedLabel={label}
      latestRuns={conversationRead.latestRuns}
      onNew={canSend ? chat.onNew : null}
    />
  )
  const variables =
    hasVariables && conversation ? (
      <Suspense fallback={<SkeletonRows rows={3} height={64} />}>
        <LazyVariablesTab key={conversation} app={app} conversation={conversation} user={owner ?? undefined} />
      </Suspense>
    ) : null
  const inspector = inspectedRun ? (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <LazyRunInspector
        run_id={inspectedRun.run_id}
        run={inspectedRun.run}
        workspace={workspace.id}
        tab={route.tab === 'variables' && !variables ? null : route.tab}
        variables={variables}
        source={inspectedRun.run_id === route.run ? route.source : null}
        onTab={(tab: InspectorTab) => setRoute({ tab }, { replace: true })}
        onClose={panes.toggleInspector}
      />
    </Suspense>
  ) : (
    <InspectorEmpty onClose={panes.toggleInspector} />
  )
  return (
    <div className={classes.playground}>
      <title>{`${label ?? (conversation ? t('chat') : t('newTitle'))} · Loupe`}</title>
      {panes.hasRoomForList ? list : null}
      <ChatMain workspace={workspace} app={app} apps={apps} chat={chat} />
      {panes.hasRoomForInspector && panes.isInspectorOpen ? (
        <SplitPane label={t('inspector')} resizeLabel={t('resize')} storageKey="chat" initialWidthPx={476}>
          {inspector}
        </SplitPane>
      ) : null}
      {panes.hasRoomForList ? null : (
        <LazyDrawer
          opened={panes.areConversationsOpen}
          onClose={() => panes.setConversations(false)}
          label={t('conversations')}
          position="left"
          size={280}
        >
          <div className={classes.sheet}>{list}</div>
        </LazyDrawer>
      )}
      {panes.hasRoomForInspector ? null : (
        <LazyDrawer
          opened={panes.isDrawerOpen}
          onClose={panes.toggleInspector}
          label={t('inspector')}
          position={panes.isNarrow ? 'bottom' : 'right'}
          size={panes.isNarrow ? '75%' : 460}
        >
          {inspector}
        </LazyDrawer>
      )}
    </div>
  )
}
