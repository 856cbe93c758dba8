import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from 'react-router'
import type { Key, Workspace } from '#contract/console.ts'
import { isLive } from '#contract/runs.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { SidePane } from '../../ui/SidePane.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { refresh, useRead } from '../../wire/query.ts'
import { runs, useRunPart } from '../../wire/useRun.ts'
import { ChatHeader } from './ChatHeader.tsx'
import { Composer, type Asked } from './Composer.tsx'
import { Conversations } from './Conversations.tsx'
import { moveDraft, useDraft } from './draft.ts'
import { controlsOf } from '../../run/inputs.ts'
import { ruleOfUpload } from '../../run/files.ts'
import { InspectorEmpty } from '../../run/InspectorEmpty.tsx'
import { InspectorBar } from '../../run/InspectorBar.tsx'
import classes from './Playground.module.css'
import { type Tab, TABS } from '../../run/tabs.ts'
import { type Place, placeNow, usePlace } from './place.ts'
import { headOf } from './head.tsx'
import { Transcript } from './Transcript.tsx'
import { type BranchedTurn, conversationOf, shownOf, turnsOf } from './transcript.ts'
import { turnOf } from '../../run/turn.ts'
import { useWords } from '../../ui/words.ts'
import { chatWords } from './messages.ts'
import { Inspector, preloadTurns, TurnView } from './parts.ts'
import { useLabel } from './useLabel.ts'
import { usePanes } from './usePanes.ts'
import { useConversation } from './useConversation.ts'
import { useDeeds } from './useDeeds.ts'
import { usePlatformMessages } from './usePlatformMessages.ts'
import { Welcome } from './Welcome.tsx'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'

export interface PlaygroundProps {
  workspace: Workspace
  app: Key
  apps: readonly Key[]
}

/** Milliseconds after which what a first turn needs is fetched though nobody has begun one. */
const IDLE = 1_500

/** The chat playground of one app: conversations, transcript with composer, inspector. */
export function Playground({ workspace, app, apps }: PlaygroundProps) {
  const t = useWords(chatWords)
  const navigate = useNavigate()
  const client = useQueryClient()
  const { go, ...place } = usePlace()
  const { conversation, run: focus } = place
  const { rows, isLoading, error, retry, newest, isCut } = useConversation(workspace.id, app.id, conversation, focus)
  const session = useRead(contract.console.session, {})
  const mayAsk = useMay()(contract.chat.send)
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const [draft, setDraft] = useDraft(app.id, conversation)
  const panes = usePanes()
  const label = useLabel(workspace.id, conversation)
  const expectsTurns = conversation !== null || focus !== null || draft.query !== ''
  // Without being asked, too, once the page stands: a first question may be typed where the line is gone.
  useEffect(() => {
    if (expectsTurns) return preloadTurns()
    const timer = setTimeout(preloadTurns, IDLE)
    return () => clearTimeout(timer)
  }, [expectsTurns])

  // The platform names the conversation in its first frames; from then on it is in the URL.
  const named = useRunPart(focus, (view) => (view ? conversationOf(view) : null))
  const found = named ?? rows.find(({ run_id }) => run_id === focus)?.run?.conversation_id ?? null
  const naming = useRef<string | null>(null)
  const onNamed = useCallback(
    (name: string) => {
      naming.current = name
      void refresh(client, ['conversations'])
    },
    [client],
  )
  useEffect(() => {
    // A question that was sent meanwhile may have put it there already.
    if (conversation !== null || found === null || placeNow().conversation !== null) return
    onNamed(found)
    go({ conversation: found }, { replace: true })
  }, [conversation, found, go, onNamed])
  // Moved when the URL has the name, not before: until then one types into the draft of the new conversation.
  useLayoutEffect(() => {
    if (conversation === null || naming.current !== conversation) return
    naming.current = null
    moveDraft(app.id, conversation)
  }, [conversation, app.id])

  const last = rows.at(-1)
  const lastTurn = last ? turnOf(last.run, runs.view(last.run_id) as Parameters<typeof turnOf>[1]) : null
  const isWatching = useRunPart(last?.run_id ?? null, (view) => (view ? view.phase === 'watching' : null))
  const isComing = last?.run ? isLive(last.run.status) : true
  const isBusy = last !== undefined && isComing && (isWatching ?? isComing)
  const turns = turnsOf(rows)
  const lastShown = turns.at(-1) ? shownOf(turns.at(-1) as BranchedTurn, place.branches, focus) : undefined
  const defaultUser = session.data?.person.default_user ?? ''
  const [reader] = useDebouncedValue(draft.user ?? (lastTurn?.question.user || defaultUser), 400)
  const told = usePlatformMessages(app, isLoading ? null : conversation, lastTurn?.question.user || reader.trim())
  const head = headOf({ told, rows, app, workspace: workspace.id, user: reader, isCut })
  // Who asks wants to see the answer, wherever the transcript stands; who asks an older turn again stays there.
  const lastOwn = turns.at(-1)?.branches.findLast(({ run_id }) => runs.view(run_id)?.sent)?.run_id ?? ''
  const inspected = rows.find(({ run_id }) => run_id === focus) ?? lastShown

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
  const { ask, deeds } = useDeeds({ app, place, go, changeDraft: setDraft, suggest, openInspector, found, onNamed })
  const onSend = (asked: Asked) => {
    ask(asked)
    setDraft({ query: '', files: [] })
  }
  const inspect = (change: Partial<Place>) => {
    go(change, { replace: true })
    openInspector()
  }
  useLetterKeys([
    [']', panes.toggleInspector],
    ...TABS.map((tab, index): [string, () => void] => [String(index + 1), () => inspect({ tab })]),
  ])

  const onNew = () => {
    panes.setConversations(false)
    go({ conversation: null, run: null, source: null })
  }
  const list = (
    <Conversations
      workspace={workspace.id}
      app={app}
      user={defaultUser}
      selected={conversation}
      newest={newest}
      onNew={mayAsk ? onNew : null}
    />
  )
  const inspector = inspected ? (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <Inspector
        run_id={inspected.run_id}
        run={inspected.run}
        workspace={workspace.id}
        tab={place.tab}
        source={inspected.run_id === focus ? place.source : null}
        onTab={(tab: Tab) => go({ tab }, { replace: true })}
        onClose={panes.toggleInspector}
      />
    </Suspense>
  ) : (
    <InspectorEmpty onClose={panes.toggleInspector} />
  )
  const suggests =
    mayAsk &&
    app.offers.includes('suggestedQuestions') &&
    parameters.data?.suggested_questions_after_answer?.enabled !== false
  const isNew = !isLoading && !error && rows.length === 0 && head.length === 0 && !told.isLoading
  return (
    <div className={classes.playground}>
      <title>{`${label ?? (conversation ? t('title') : t('newTitle'))} · Loupe`}</title>
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
            run: inspected?.run && !isLive(inspected.run.status) ? inspected.run_id : null,
          })}
          onConversations={panes.hasRoomForList ? null : () => panes.setConversations(true)}
          onInspector={panes.isNarrow || panes.isInspectorOpen ? null : panes.openInspector}
        />
        {rows.length === 0 && (isLoading || told.isLoading) ? (
          <div className={classes.loading}>
            <SkeletonRows rows={5} height={72} />
          </div>
        ) : null}
        {error ? (
          <div className={classes.loading}>
            <ProblemNote problem={error.problem} what={t('readConversation')} onRetry={retry} />
          </div>
        ) : null}
        {isNew ? (
          <Welcome
            app={app.label}
            parameters={parameters.data}
            isKnown={conversation !== null}
            onSuggestion={mayAsk ? suggest : null}
          />
        ) : null}
        {(rows.length > 0 || head.length > 0) && !error ? (
          <Transcript
            subject={`${turns[0]?.id} ${lastOwn}`}
            turns={turns}
            head={head}
            isBusy={isBusy}
            turn={(turn) => {
              const { run_id, run } = shownOf(turn, place.branches, focus)
              const message_id = run?.message_id ?? null
              return (
                <TurnView
                  key={turn.id}
                  run_id={run_id}
                  run={run}
                  branches={turn.branches.map((branch) => branch.run_id).join()}
                  workspace={workspace.id}
                  app={app}
                  source={run_id === focus ? place.source : null}
                  edited={draft.edit?.run_id === run_id ? draft.edit.query : null}
                  rating={message_id === null ? null : (told.ratings.get(message_id) ?? null)}
                  suggests={suggests && run_id === last?.run_id}
                  deeds={deeds}
                  mayAsk={mayAsk}
                />
              )
            }}
          />
        ) : null}
        {panes.isNarrow && inspected ? <InspectorBar turn={lastTurn} onOpen={panes.openInspector} /> : null}
        {mayAsk ? (
          <Composer
            controls={controlsOf(parameters.data)}
            draft={draft}
            onDraft={setDraft}
            defaultUser={defaultUser}
            conversationUser={conversation ? lastTurn?.question.user || null : null}
            begins={conversation === null}
            fileRule={ruleOfUpload(parameters.data)}
            uploadKey={app.offers.includes('uploadFile') ? app.id : null}
            formerInputs={lastTurn?.question.inputs ?? null}
            refusal={
              parameters.error && !parameters.data
                ? { reason: parameters.error.problem.message, retry: () => void parameters.refetch() }
                : null
            }
            awaited={isBusy && last ? last.run_id : null}
            isKnown={conversation === null || !isLoading || rows.length > 0}
            onSend={onSend}
            field={field}
          />
        ) : session.data ? (
          <RoleNote entry={contract.chat.send} />
        ) : null}
      </div>
      {panes.hasRoomForInspector && panes.isInspectorOpen ? (
        <SidePane label={t('inspector')} gripLabel={t('resize')} name="chat" initial={476}>
          {inspector}
        </SidePane>
      ) : null}
      {panes.hasRoomForList ? null : (
        <Sheet
          opened={panes.areConversationsOpen}
          onClose={() => panes.setConversations(false)}
          label={t('conversations')}
          position="left"
          size={280}
        >
          <div className={classes.sheet}>{list}</div>
        </Sheet>
      )}
      {panes.hasRoomForInspector ? null : (
        <Sheet
          opened={panes.isDrawerOpen}
          onClose={panes.toggleInspector}
          label={t('inspector')}
          position={panes.isNarrow ? 'bottom' : 'right'}
          size={panes.isNarrow ? '75%' : 460}
        >
          {inspector}
        </Sheet>
      )}
    </div>
  )
}
