import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { isActiveStatus } from '#contract/console/runs.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { toInputFields } from '../../runs/inputs/inputFields.ts'
import { toUploadRule } from '../../runs/inputs/inputFiles.ts'
import { ChatHeader } from './ChatHeader.tsx'
import classes from './ChatPlayground.module.css'
import { Composer } from './composer/Composer.tsx'
import { WelcomePanel } from './composer/WelcomePanel.tsx'
import { LazyAboutNote, LazyChatTranscript, LazyInspectorBar, LazyTurnView } from './lazyChatParts.ts'
import { chatMessages } from './messages.ts'
import { getShownBranch } from './transcript/transcriptTurns.ts'
import type { ChatPlaygroundState } from './useChatPlayground.ts'

export interface ChatMainProps {
  workspace: Workspace
  app: Key
  apps: readonly Key[]
  chat: ChatPlaygroundState
}

/** The center of the playground: header, turns, composer. */
export function ChatMain({ workspace, app, apps, chat }: ChatMainProps) {
  const t = useMessages(chatMessages)
  const navigate = useNavigate()
  const { panes, parameters, canSend, label, suggest, route, conversationRead, transcript } = chat
  const { conversation } = route
  const { rows, isLoading, error, retry } = conversationRead
  const { lastTurn, owner, platformMessages, headerRows, inspectedRun } = transcript
  const isNew = !isLoading && !error && rows.length === 0 && headerRows.length === 0 && !platformMessages.isLoading
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
      {(rows.length > 0 || headerRows.length > 0) && !error ? (
        <Suspense fallback={<TurnsSkeleton />}>
          <ChatTurns workspace={workspace} app={app} chat={chat} />
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

function ChatTurns({ workspace, app, chat }: Omit<ChatMainProps, 'apps'>) {
  const { route, transcript, draft, actions, canSend, showsSuggestions } = chat
  const { run: focus } = route
  const { last, turns, lastOwnTurn, headerRows, isBusy, platformMessages } = transcript
  return (
    <LazyChatTranscript
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
