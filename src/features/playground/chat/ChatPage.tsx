import { Box, VisuallyHidden } from '@mantine/core'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { GrantNote } from '../../../components/layout/GrantNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { formatGrants, isBeyondGrants } from '../../../client/grants.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { chatMessages } from './messages.ts'
import {
  preloadChatParts,
  LazyRunInspector,
  LazyVariablesTab,
  LazyAboutNote,
  LazyChatTranscript,
  LazyInspectorBar,
} from './lazyChatParts.ts'
import classes from './Chat.module.css'
import { Suspense } from 'react'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { LazyDrawer } from '../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { InspectorEmpty } from '../../runs/inspector/InspectorEmpty.tsx'
import type { InspectorTab } from '../../runs/inspector/inspectorTabs.ts'
import { ConversationList } from './conversations/ConversationList.tsx'
import { useChatPlayground, type ChatPlaygroundState } from './useChatPlayground.ts'
import { useNavigate } from 'react-router'
import { isActiveStatus } from '#contract/console/runs.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { paths } from '#domain/paths.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { toInputFields } from '../../runs/inputs/inputFields.ts'
import { toUploadRule } from '../../runs/inputs/inputFiles.ts'
import { ChatHeader } from './ChatHeader.tsx'
import { Composer } from './composer/Composer.tsx'
import { WelcomePanel } from './composer/WelcomePanel.tsx'

if (/[?&](?:conversation|run)=/.test(window.location.search)) preloadChatParts()

/** `/chat`: the playground of the chat app in the URL, or an explanation. */
export function ChatPage() {
  const t = useMessages(chatMessages)
  const { workspace, findKey, getKeys, isLoading, problem, retry } = useWorkspace()
  const app = findKey('chat')
  if (workspace && app) return <ChatPlayground key={app.id} workspace={workspace} app={app} apps={getKeys('chat')} />
  return (
    <Box maw={640} mx="auto" px="lg" py={48}>
      <VisuallyHidden component="h1">{t('chat')}</VisuallyHidden>
      {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
      {problem ? <ProblemAlert problem={problem} action={t('listWorkspaces')} onRetry={retry} /> : null}
      {isLoading || problem ? null : workspace && isBeyondGrants(workspace, ['chat']) ? (
        <GrantNote workspace={workspace.name} grants={formatGrants(workspace)} />
      ) : (
        <EmptyState title={t(workspace ? 'noKey' : 'noWorkspace')}>
          {workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
        </EmptyState>
      )}
    </Box>
  )
}

interface ChatPlaygroundProps {
  workspace: Workspace
  app: Key
  apps: readonly Key[]
}

/** The chat playground of one app: conversations, transcript with composer, inspector. */
function ChatPlayground({ workspace, app, apps }: ChatPlaygroundProps) {
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
    <Box display="flex" h="100%" miw={0}>
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
    </Box>
  )
}

interface ChatMainProps {
  workspace: Workspace
  app: Key
  apps: readonly Key[]
  chat: ChatPlaygroundState
}

/** The center of the playground: header, turns, composer. */
function ChatMain({ workspace, app, apps, chat }: ChatMainProps) {
  const t = useMessages(chatMessages)
  const navigate = useNavigate()
  const { panes, parameters, canSend, label, suggest, route, conversationRead, transcript } = chat
  const { conversation } = route
  const { rows, isLoading, error, retry } = conversationRead
  const { isEmpty, isBusy, turns, last, lastTurn, lastOwnRun, owner, platformMessages, inspectedRun } = transcript
  const isNew = isEmpty && !isLoading && !error && !platformMessages.isLoading
  return (
    <div className={classes.middle}>
      <ChatHeader
        conversation={conversation}
        label={label}
        app={app}
        apps={apps}
        onApp={(id) => void navigate(paths.chat({ workspace: workspace.id, app: id }))}
        user={owner}
        comparePath={paths.compare({
          workspace: workspace.id,
          with: app.id,
          run: inspectedRun?.run && !isActiveStatus(inspectedRun.run.status) ? inspectedRun.run_id : null,
        })}
        onConversations={panes.hasRoomForList ? null : () => panes.setConversations(true)}
        onInspector={panes.isNarrow || panes.isInspectorOpen ? null : panes.openInspector}
      />
      {rows.length === 0 && (isLoading || platformMessages.isLoading) ? <TurnsSkeleton /> : null}
      {error ? (
        <div className={classes.loading}>
          <ProblemAlert problem={error.problem} action={t('readConversation')} onRetry={retry} />
        </div>
      ) : null}
      {isNew && route.about ? (
        <Suspense>
          <LazyAboutNote
            dataset_id={route.about}
            document_id={route.document}
            workspace={workspace.id}
            app={app.label}
            onQuestion={canSend ? (question) => suggest(question, false) : null}
            onClose={() => chat.setRoute({ about: null, document: null }, { replace: true })}
          />
        </Suspense>
      ) : null}
      {isNew ? (
        <WelcomePanel
          app={app.label}
          parameters={parameters.data}
          inputs={chat.draft.formValues}
          hasConversation={conversation !== null}
          onSuggestion={canSend ? suggest : null}
        />
      ) : null}
      {!isEmpty && !error ? (
        <Suspense fallback={<TurnsSkeleton />}>
          <LazyChatTranscript
            workspace={workspace.id}
            app={app}
            turns={turns}
            platformMessages={platformMessages}
            lastOwnRun={lastOwnRun}
            isBusy={isBusy}
            route={route}
            edit={chat.draft.edit}
            suggestedFor={chat.showsSuggestions && last ? last.run_id : null}
            actions={chat.actions}
            canSend={canSend}
          />
        </Suspense>
      ) : null}
      {panes.isNarrow && inspectedRun ? (
        <Suspense fallback={<SkeletonRows rows={1} height={44} />}>
          <LazyInspectorBar turn={lastTurn} onOpen={panes.openInspector} />
        </Suspense>
      ) : null}
      <ChatComposer app={app} chat={chat} />
    </div>
  )
}

function TurnsSkeleton() {
  return (
    <div className={classes.loading}>
      <SkeletonRows rows={5} height={72} />
    </div>
  )
}

function ChatComposer({ app, chat }: Pick<ChatMainProps, 'app' | 'chat'>) {
  const { route, conversationRead, transcript, parameters, session, draft, setDraft, defaultUser, onSend } = chat
  const { conversation } = route
  const { rows, isLoading } = conversationRead
  const { last, lastTurn, isBusy } = transcript
  if (!chat.canSend) return session.data ? <PermissionNote {...getRequiredAccess(chatEndpoints.send)} /> : null
  return (
    <Composer
      app={app}
      version={chat.version}
      fields={toInputFields(parameters.data)}
      draft={draft}
      onDraft={setDraft}
      defaultUser={defaultUser}
      conversationUser={conversation ? lastTurn?.question.user || null : null}
      conversation={conversation}
      fileRule={toUploadRule(parameters.data)}
      uploadKey={app.offers.includes('uploadFile') ? app.id : null}
      formerInputs={lastTurn?.question.inputs ?? null}
      refusedInputs={lastTurn?.state === 'refused' ? (lastTurn.problem?.message ?? null) : null}
      parametersError={
        parameters.error && !parameters.data
          ? { reason: parameters.error.problem.message, retry: () => void parameters.refetch() }
          : null
      }
      pendingRunId={isBusy && last ? last.run_id : null}
      isReady={!parameters.isPending && (conversation === null || !isLoading || rows.length > 0)}
      onSend={onSend}
      inputRef={chat.composerRef}
    />
  )
}
