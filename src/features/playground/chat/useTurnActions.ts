import { useCallback, useEffect, useMemo } from 'react'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { toResponseMode } from '#domain/platformKeys/responseMode.ts'
import { type FileEntry, toFileEntries, toFileInput } from '../../runs/inputs/inputFiles.ts'
import type { TurnQuestion } from '../../runs/turn.ts'
import { useRead } from '../../../client/query.ts'
import type { RunView } from '../../../client/runStore.ts'
import { runStore, useRunPart } from '../../../client/useRun.ts'
import type { ComposerRequest } from './composer/Composer.tsx'
import type { ComposerDraft, ComposerDraftChange } from './composer/composerDraft.ts'
import { type SetChatRoute, type ChatRoute, getChatRoute } from './chatRoute.ts'
import { selectBranch, getConversationId } from './transcript/transcriptTurns.ts'
import type { TurnActions } from './transcript/TurnView.tsx'

export interface TurnActionsInput {
  app: Key
  route: ChatRoute
  setRoute: SetChatRoute
  changeDraft: (change: ComposerDraftChange) => void
  suggest: TurnActions['onSuggestion']
  openInspector: () => void
  /** The id of the focused run’s conversation; null until the platform has given it. */
  focusedConversation: string | null
  /** Called when a question adds its conversation to the URL. */
  onConversationNamed: (conversation: string) => void
}

/** The actions on the conversation in the URL: send, resend, select. */
export function useTurnActions(deps: TurnActionsInput) {
  const { app, route, setRoute, changeDraft, suggest, openInspector, focusedConversation, onConversationNamed } = deps
  const { id: key, mode } = app
  const { branches: selectedBranches, run: focus } = route

  const sendQuestion = useCallback(
    (chatRequest: ComposerRequest, parent: string | null = null) => {
      // A queued question is sent as soon as the answer ends, before the next render.
      const now = getChatRoute()
      const view = now.run === null ? null : runStore.view(now.run)
      const conversation =
        now.conversation ?? (view && getConversationId(view)) ?? (now.run === focus ? focusedConversation : null)
      if (conversation !== null && now.conversation === null) onConversationNamed(conversation)
      const body = {
        ...chatRequest,
        response_mode: toResponseMode({ mode }, chatRequest.response_mode),
        ...(conversation ? { conversation_id: conversation } : {}),
      }
      const run_id = runStore.start(chatEndpoints.send, { key, body, parent })
      // The newest branch of a turn is the default.
      const branches = now.branches.filter((one) => one !== parent)
      changeDraft({ sent: { run_id, query: body.query, files: toFileEntries(body.files) } })
      setRoute({ run: run_id, conversation, source: null, branches }, { replace: conversation !== null })
    },
    [key, mode, focus, focusedConversation, onConversationNamed, setRoute, changeDraft],
  )

  const actions = useMemo<TurnActions>(
    () => ({
      onRerun: (run_id, question, query = question.query) => {
        sendQuestion(toChatRequest(question, query), run_id)
        changeDraft({ edit: null })
      },
      onDismiss: (run_id, question) => {
        runStore.remove(run_id)
        changeDraft(restoreQuestion({ query: question.query, files: toFileEntries(question.body.files) }))
        setRoute({ run: null }, { replace: true })
      },
      onBranch: (branches, run_id) => {
        setRoute(
          { run: run_id, source: null, branches: selectBranch(selectedBranches, branches, run_id) },
          { replace: true },
        )
      },
      onInspect: (run_id) => {
        setRoute({ run: run_id, source: null }, { replace: true })
        openInspector()
      },
      onSource: (run_id, position) => {
        setRoute({ run: run_id, tab: 'sources', source: position }, { replace: true })
        openInspector()
      },
      onEdit: (edit) => changeDraft({ edit }),
      onSuggestion: suggest,
    }),
    [sendQuestion, changeDraft, suggest, selectedBranches, setRoute, openInspector],
  )
  return { sendQuestion, actions }
}

/** Puts a question that was sent in the field again. What was typed meanwhile stays, below it. */
const restoreQuestion =
  ({ query, files }: { query: string; files: readonly FileEntry[] }) =>
  (draft: ComposerDraft): Partial<ComposerDraft> => ({
    query: [query, draft.query].filter((text) => text.trim() !== '').join('\n\n'),
    files: [...files, ...draft.files],
    sent: null,
  })

/** Keeps a question until the server has taken it: through the end of the session, a refusal, and a reload. */
export function useSentQuestion(
  { sent }: Pick<ComposerDraft, 'sent'>,
  changeDraft: TurnActionsInput['changeDraft'],
  { run }: ChatRoute,
  setRoute: SetChatRoute,
): void {
  // The URL names the run before this render does: a refusal may be as quick.
  const isFocused = sent !== null && (sent.run_id === run || sent.run_id === getChatRoute().run)
  const stateHere = useRunPart(sent?.run_id ?? null, (view) => getSentState(view, isFocused))
  const read = useRead(
    runEndpoints.readRun,
    { params: { run_id: sent?.run_id ?? '' } },
    { enabled: sent !== null && stateHere === null },
  )
  const stateThere = read.data?.id === sent?.run_id ? 'taken' : read.error?.problem.status === 404 ? 'lost' : 'pending'
  const state = stateHere ?? stateThere
  useEffect(() => {
    if (sent === null || state === 'pending') return
    if (state === 'taken') return changeDraft({ sent: null })
    runStore.remove(sent.run_id)
    changeDraft(restoreQuestion(sent))
    if (isFocused) setRoute({ run: null }, { replace: true })
  }, [sent, state, isFocused, changeDraft, setRoute])
}

/** What this page knows of the question that was sent last; `lost` where it has no turn that shows it, null after a reload. */
function getSentState(view: RunView | null, isFocused: boolean): 'pending' | 'taken' | 'lost' | null {
  if (!view) return null
  const { phase, problem, sent, connection } = view
  if (phase === 'unsent') return isFocused ? 'pending' : 'lost'
  if (phase === 'refused') return problem?.status === (sent ? 401 : 404) || (sent && !isFocused) ? 'lost' : 'pending'
  return phase === 'watching' && ['sending', 'connecting', 'reconnecting'].includes(connection.state)
    ? 'pending'
    : 'taken'
}

/** Builds the request of a question with a new text. */
function toChatRequest(question: TurnQuestion, query: string): ComposerRequest {
  const { inputs, user, response_mode, pinned_workflow_id, body } = question
  const files = toFileEntries(body.files).map(toFileInput)
  return {
    query,
    inputs,
    user,
    response_mode,
    ...(files.length > 0 ? { files } : {}),
    ...(pinned_workflow_id === null ? {} : { workflow_id: pinned_workflow_id }),
    ...(typeof body.auto_generate_name === 'boolean' ? { auto_generate_name: body.auto_generate_name } : {}),
  }
}
