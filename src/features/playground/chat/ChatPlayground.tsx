import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from 'react-router'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { contract } from '#contract/index.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { LazyDrawer } from '../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { invalidateTags, useRead } from '../../../client/query.ts'
import { runStore, useRunPart } from '../../../client/useRun.ts'
import { ChatHeader } from './ChatHeader.tsx'
import { Composer, type ComposerRequest } from './composer/Composer.tsx'
import { ConversationList } from './conversations/ConversationList.tsx'
import { moveComposerDraft, useComposerDraft } from './composer/composerDraft.ts'
import { toInputFields } from '../../runs/inputs/inputFields.ts'
import { toUploadRule } from '../../runs/inputs/inputFiles.ts'
import { InspectorEmpty } from '../../runs/inspector/InspectorEmpty.tsx'
import { InspectorBar } from '../../runs/inspector/InspectorBar.tsx'
import classes from './ChatPlayground.module.css'
import { type InspectorTab, INSPECTOR_TABS } from '../../runs/inspector/inspectorTabs.ts'
import { type ChatRoute, getChatRoute, useChatRoute } from './chatRoute.ts'
import { renderTranscriptHeader } from './transcript/renderTranscriptHeader.tsx'
import { ChatTranscript } from './transcript/ChatTranscript.tsx'
import { type BranchedTurn, getConversationId, getShownBranch, toBranchedTurns } from './transcript/transcriptTurns.ts'
import { toTurn } from '../../runs/turn.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { chatMessages } from './messages.ts'
import { LazyRunInspector, preloadTurnParts, LazyTurnView } from './lazyTurnParts.ts'
import { useConversationLabel } from './useConversationLabel.ts'
import { useChatPanes } from './useChatPanes.ts'
import { useConversation } from './useConversation.ts'
import { useTurnActions } from './useTurnActions.ts'
import { usePlatformMessages } from './transcript/usePlatformMessages.ts'
import { WelcomePanel } from './composer/WelcomePanel.tsx'
import { usePermission } from '../../../client/usePermission.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'

export interface ChatPlaygroundProps {
  workspace: Workspace
  app: Key
  apps: readonly Key[]
}

/** Milliseconds after which what a first turn needs is fetched though nobody has begun one. */
const PRELOAD_DELAY_MS = 1_500

/** The chat playground of one app: conversations, transcript with composer, inspector. */
export function ChatPlayground({ workspace, app, apps }: ChatPlaygroundProps) {
  const t = useMessages(chatMessages)
  const navigate = useNavigate()
  const client = useQueryClient()
  const { go, ...route } = useChatRoute()
  const { conversation, run: focus } = route
  const { rows, isLoading, error, retry, latestRuns, isTruncated } = useConversation(
    workspace.id,
    app.id,
    conversation,
    focus,
  )
  const session = useRead(contract.console.session, {})
  const canSend = usePermission()(contract.chat.send)
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const [draft, setDraft] = useComposerDraft(app.id, conversation)
  const panes = useChatPanes()
  const label = useConversationLabel(workspace.id, conversation)
  const expectsTurns = conversation !== null || focus !== null || draft.query !== ''
  // Without being asked, too, once the page stands: a first question may be typed where the line is gone.
  useEffect(() => {
    if (expectsTurns) return preloadTurnParts()
    const timer = setTimeout(preloadTurnParts, PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [expectsTurns])

  // The platform names the conversation in its first frames; from then on it is in the URL.
  const conversationOfRun = useRunPart(focus, (view) => (view ? getConversationId(view) : null))
  const focusedRun = conversationOfRun ?? rows.find(({ run_id }) => run_id === focus)?.run?.conversation_id ?? null
  const namingTimer = useRef<string | null>(null)
  const onConversationNamed = useCallback(
    (name: string) => {
      namingTimer.current = name
      void invalidateTags(client, ['conversations'])
    },
    [client],
  )
  useEffect(() => {
    // A question that was sent meanwhile may have put it there already.
    if (conversation !== null || focusedRun === null || getChatRoute().conversation !== null) return
    onConversationNamed(focusedRun)
    go({ conversation: focusedRun }, { replace: true })
  }, [conversation, focusedRun, go, onConversationNamed])
  // Moved when the URL has the name, not before: until then one types into the draft of the new conversation.
  useLayoutEffect(() => {
    if (conversation === null || namingTimer.current !== conversation) return
    namingTimer.current = null
    moveComposerDraft(app.id, conversation)
  }, [conversation, app.id])

  const last = rows.at(-1)
  const lastTurn = last ? toTurn(last.run, runStore.view(last.run_id) as Parameters<typeof toTurn>[1]) : null
  const isWatching = useRunPart(last?.run_id ?? null, (view) => (view ? view.phase === 'watching' : null))
  const isStarting = last?.run ? isActiveStatus(last.run.status) : true
  const isBusy = last !== undefined && isStarting && (isWatching ?? isStarting)
  const turns = toBranchedTurns(rows)
  const lastShown = turns.at(-1) ? getShownBranch(turns.at(-1) as BranchedTurn, route.branches, focus) : undefined
  const defaultUser = session.data?.person.default_user ?? ''
  const [platformUser] = useDebouncedValue(draft.user ?? (lastTurn?.question.user || defaultUser), 400)
  const platformMessages = usePlatformMessages(
    app,
    isLoading ? null : conversation,
    lastTurn?.question.user || platformUser.trim(),
  )
  const headerRows = renderTranscriptHeader({
    platformMessages,
    rows,
    app,
    workspace: workspace.id,
    user: platformUser,
    isTruncated,
  })
  // Who asks wants to see the answer, wherever the transcript stands; who asks an older turn again stays there.
  const lastOwnTurn = turns.at(-1)?.branches.findLast(({ run_id }) => runStore.view(run_id)?.sent)?.run_id ?? ''
  const inspectedRun = rows.find(({ run_id }) => run_id === focus) ?? lastShown

  const field = useRef<HTMLTextAreaElement>(null)
  // Who takes up a suggestion goes on where it stands: to change it, or to send it.
  const suggest = useCallback(
    (query: string) => {
      setDraft({ query })
      field.current?.focus()
    },
    [setDraft],
  )
  const { openInspector } = panes
  const { ask: sendQuestion, deeds: actions } = useTurnActions({
    app,
    route,
    setRoute: go,
    changeDraft: setDraft,
    suggest,
    openInspector,
    focusedRun,
    onConversationNamed,
  })
  const onSend = (chatRequest: ComposerRequest) => {
    sendQuestion(chatRequest)
    setDraft({ query: '', files: [] })
  }
  const inspect = (change: Partial<ChatRoute>) => {
    go(change, { replace: true })
    openInspector()
  }
  useShortcuts([
    [']', panes.toggleInspector],
    ...INSPECTOR_TABS.map((tab, index): [string, () => void] => [String(index + 1), () => inspect({ tab })]),
  ])

  const onNew = () => {
    panes.setConversations(false)
    go({ conversation: null, run: null, source: null })
  }
  const list = (
    <ConversationList
      workspace={workspace.id}
      app={app}
      user={defaultUser}
      selected={conversation}
      latestRuns={latestRuns}
      onNew={canSend ? onNew : null}
    />
  )
  const inspector = inspectedRun ? (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <LazyRunInspector
        run_id={inspectedRun.run_id}
        run={inspectedRun.run}
        workspace={workspace.id}
        tab={route.tab}
        source={inspectedRun.run_id === focus ? route.source : null}
        onTab={(tab: InspectorTab) => go({ tab }, { replace: true })}
        onClose={panes.toggleInspector}
      />
    </Suspense>
  ) : (
    <InspectorEmpty onClose={panes.toggleInspector} />
  )
  const showsSuggestions =
    canSend &&
    app.offers.includes('suggestedQuestions') &&
    parameters.data?.suggested_questions_after_answer?.enabled !== false
  const isNew = !isLoading && !error && rows.length === 0 && headerRows.length === 0 && !platformMessages.isLoading
  return (
    <div className={classes.playground}>
      <title>{`${label ?? (conversation ? t('chat') : t('newTitle'))} · Loupe`}</title>
      {panes.hasRoomForList ? list : null}
      <div className={classes.middle}>
        <ChatHeader
          conversation={conversation}
          label={label}
          app={app}
          apps={apps}
          onApp={(id) => void navigate(paths.chat({ workspace: workspace.id, app: id }))}
          user={lastTurn?.question.user || null}
          mode={lastTurn?.answer.mode ?? null}
          comparePath={paths.compare({
            workspace: workspace.id,
            with: app.id,
            run: inspectedRun?.run && !isActiveStatus(inspectedRun.run.status) ? inspectedRun.run_id : null,
          })}
          onConversations={panes.hasRoomForList ? null : () => panes.setConversations(true)}
          onInspector={panes.isNarrow || panes.isInspectorOpen ? null : panes.openInspector}
        />
        {rows.length === 0 && (isLoading || platformMessages.isLoading) ? (
          <div className={classes.loading}>
            <SkeletonRows rows={5} height={72} />
          </div>
        ) : null}
        {error ? (
          <div className={classes.loading}>
            <ProblemAlert problem={error.problem} action={t('readConversation')} onRetry={retry} />
          </div>
        ) : null}
        {isNew ? (
          <WelcomePanel
            app={app.label}
            parameters={parameters.data}
            hasParameters={conversation !== null}
            onSuggestion={canSend ? suggest : null}
          />
        ) : null}
        {(rows.length > 0 || headerRows.length > 0) && !error ? (
          <ChatTranscript
            subject={`${turns[0]?.id} ${lastOwnTurn}`}
            turns={turns}
            header={headerRows}
            isBusy={isBusy}
            renderTurn={(turn) => {
              const { run_id, run } = getShownBranch(turn, route.branches, focus)
              const message_id = run?.message_id ?? null
              return (
                <LazyTurnView
                  key={turn.id}
                  run_id={run_id}
                  run={run}
                  branches={turn.branches.map((branch) => branch.run_id).join()}
                  workspace={workspace.id}
                  app={app}
                  source={run_id === focus ? route.source : null}
                  edited={draft.edit?.run_id === run_id ? draft.edit.query : null}
                  rating={message_id === null ? null : (platformMessages.ratings.get(message_id) ?? null)}
                  showsSuggestions={showsSuggestions && run_id === last?.run_id}
                  actions={actions}
                  canSend={canSend}
                />
              )
            }}
          />
        ) : null}
        {panes.isNarrow && inspectedRun ? <InspectorBar turn={lastTurn} onOpen={panes.openInspector} /> : null}
        {canSend ? (
          <Composer
            fields={toInputFields(parameters.data)}
            draft={draft}
            onDraft={setDraft}
            defaultUser={defaultUser}
            conversationUser={conversation ? lastTurn?.question.user || null : null}
            isNewConversation={conversation === null}
            fileRule={toUploadRule(parameters.data)}
            uploadKey={app.offers.includes('uploadFile') ? app.id : null}
            formerInputs={lastTurn?.question.inputs ?? null}
            parametersError={
              parameters.error && !parameters.data
                ? { reason: parameters.error.problem.message, retry: () => void parameters.refetch() }
                : null
            }
            pendingRunId={isBusy && last ? last.run_id : null}
            hasParameters={conversation === null || !isLoading || rows.length > 0}
            onSend={onSend}
            inputRef={field}
          />
        ) : session.data ? (
          <PermissionNote {...getRequiredAccess(contract.chat.send)} />
        ) : null}
      </div>
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
