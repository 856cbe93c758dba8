import { useDebouncedValue, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isActiveStatus } from '#contract/console/runs.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { invalidateTags, useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { runStore, useRunPart } from '../../../client/useRun.ts'
import { CHAT_INSPECTOR_TABS, INSPECTOR_TABS } from '../../runs/inspector/inspectorTabs.ts'
import { toTurn } from '../../runs/turn.ts'
import { usePinnedVersion } from '../../runs/version/usePinnedVersion.ts'
import { type ChatRoute, getChatRoute, type SetChatRoute, useChatRoute } from './chatRoute.ts'
import type { ComposerRequest } from './composer/Composer.tsx'
import {
  type ComposerDraft,
  type ComposerDraftChange,
  moveComposerDraft,
  nameDraftConversation,
  useComposerDraft,
} from './composer/composerDraft.ts'
import { preloadChatParts } from './lazyChatParts.ts'
import { usePlatformMessages } from './transcript/usePlatformMessages.ts'
import { type BranchedTurn, getConversationId, getShownBranch, toBranchedTurns } from './transcript/transcriptTurns.ts'
import { type ConversationRead, useConversation } from './useConversation.ts'
import { useConversationLabel } from './conversations/useConversations.ts'
import type { TurnActions } from './transcript/TurnView.tsx'
import { useSentQuestion, useTurnActions } from './useTurnActions.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { useLocation } from 'react-router'

/** Delay before the code of a first turn is preloaded (ms). */
const PRELOAD_DELAY_MS = 1_500

export type ChatPlaygroundState = ReturnType<typeof useChatPlayground>

/** The state and actions of the playground of one app. */
export function useChatPlayground(workspace: Workspace, app: Key) {
  const { go, ...route } = useChatRoute()
  const { conversation, run: focus } = route
  const conversationRead = useConversation(workspace.id, app.id, conversation, focus)
  const session = useRead(accessEndpoints.session, {})
  const canSend = usePermission()(chatEndpoints.send)
  const parameters = useRead(appParameterEndpoints.parameters, { key: app.id })
  const [draft, setDraft] = useComposerDraft(app.id, conversation)
  const version = usePinnedVersion(app)
  const panes = useChatPanes()
  usePreloadedParts(conversation !== null || focus !== null || draft.query !== '')
  const { focusedConversation, onConversationNamed } = useConversationName(app.id, route, go, conversationRead.rows)
  const defaultUser = session.data?.person.default_user ?? ''
  const storedLabel = useConversationLabel(workspace.id, app, draft.user?.trim() || defaultUser, conversation)
  const transcript = useTranscript({ app, route, conversationRead, draftUser: draft.user, defaultUser })
  const label = toShownLabel(storedLabel, transcript.turns[0], route)

  const { field, suggest } = useComposerField(setDraft)
  useInitialFocus(field, canSend && focus === null)
  const { openInspector } = panes
  const { sendQuestion, actions } = useTurnActions({
    app,
    route,
    setRoute: go,
    changeDraft: setDraft,
    suggest,
    openInspector,
    focusedConversation,
    onConversationNamed,
  })
  useSentQuestion(draft, setDraft, route, go)
  const onSend = (chatRequest: ComposerRequest) => {
    sendQuestion(chatRequest)
    setDraft({ query: '', files: [] })
  }
  // Other chat apps have no values, and their list is always empty. The platform sets values only for chatflows.
  const isChatflow = app.mode === 'advanced-chat' || app.offers.includes('updateConversationVariable')
  const hasVariables = isChatflow && app.offers.includes('listConversationVariables')
  const inspect = (change: Partial<ChatRoute>) => {
    go(change, { replace: true })
    openInspector()
  }
  useShortcuts([
    [']', panes.toggleInspector],
    ...(hasVariables ? CHAT_INSPECTOR_TABS : INSPECTOR_TABS).map((tab, index): [string, () => void] => [
      String(index + 1),
      () => inspect({ tab }),
    ]),
  ])
  const onNew = () => {
    panes.setConversations(false)
    go({ conversation: null, run: null, source: null })
    field.current?.focus()
  }
  const showsSuggestions =
    canSend &&
    app.offers.includes('suggestedQuestions') &&
    parameters.data?.suggested_questions_after_answer?.enabled !== false
  return {
    route,
    setRoute: go,
    conversationRead,
    transcript,
    session,
    canSend,
    showsSuggestions,
    hasVariables,
    parameters,
    defaultUser,
    draft,
    setDraft,
    version,
    composerRef: field,
    panes,
    label,
    suggest,
    actions,
    onSend,
    onNew,
  }
}

/** Whoever opens the chat wants to type. Not on a touch screen, whose keyboard would cover half of it. */
function useInitialFocus(field: RefObject<HTMLTextAreaElement | null>, isWanted: boolean): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || !isWanted) return
    isDone.current = true
    // The focus is still on the link that led here, or on the heading of the screen; a person may have gone on.
    const isFree = !document.activeElement?.matches('input, textarea, select, [role="dialog"] *')
    if (isFree && !window.matchMedia('(pointer: coarse)').matches) field.current?.focus({ preventScroll: true })
  }, [field, isWanted])
}

/**
 * The field of the composer, and suggested questions: one is sent through the composer, with its checks, and typed
 * text stays; or it is put into the field for editing.
 */
function useComposerField(setDraft: (change: ComposerDraftChange) => void) {
  const field = useRef<HTMLTextAreaElement>(null)
  const suggest: TurnActions['onSuggestion'] = useCallback(
    (query, isEdited) => {
      const typed = field.current?.value ?? ''
      // The form must have the question when it is submitted.
      flushSync(() => setDraft({ query }))
      if (isEdited) return field.current?.focus()
      field.current?.form?.requestSubmit()
      if (typed !== '') setDraft((draft) => (draft.query === '' ? { query: typed } : {}))
    },
    [setDraft],
  )
  return { field, suggest }
}

/** Preloads after the page has rendered as well: the connection may be lost by the first question. */
function usePreloadedParts(expectsTurns: boolean): void {
  useEffect(() => {
    if (expectsTurns) return preloadChatParts()
    const timer = setTimeout(preloadChatParts, PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [expectsTurns])
}

/** Adds the conversation of the focused run to the URL, and moves the draft to it. */
function useConversationName(
  app: string,
  { conversation, run: focus }: ChatRoute,
  setRoute: SetChatRoute,
  rows: ConversationRead['rows'],
) {
  const client = useQueryClient()
  // The platform names the conversation in its first frames; then it belongs in the URL.
  const conversationOfRun = useRunPart(focus, (view) => (view ? getConversationId(view) : null))
  const focusedConversation =
    conversationOfRun ?? rows.find(({ run_id }) => run_id === focus)?.run?.conversation_id ?? null
  const onConversationNamed = useCallback(
    (name: string) => {
      nameDraftConversation(app, name)
      void invalidateTags(client, ['conversations'])
    },
    [app, client],
  )
  useEffect(() => {
    // Another question may have set it already.
    if (conversation !== null || focusedConversation === null || getChatRoute().conversation !== null) return
    onConversationNamed(focusedConversation)
    setRoute({ conversation: focusedConversation }, { replace: true })
  }, [conversation, focusedConversation, setRoute, onConversationNamed])
  // Moved when the URL has the name, not before: until then the person types into the draft of the new conversation.
  useLayoutEffect(() => {
    if (conversation !== null) moveComposerDraft(app, conversation)
  }, [conversation, app])
  return { focusedConversation, onConversationNamed }
}

/** A conversation that is named by its first question follows the version of it that is shown. */
export function toShownLabel(
  label: string | null,
  first: BranchedTurn | undefined,
  { branches, run }: Pick<ChatRoute, 'branches' | 'run'>,
): string | null {
  if (label === null || !first || first.branches.length < 2) return label
  const getQuestion = (row: BranchedTurn['branches'][number]) => {
    const turn = toTurn(row.run, runStore.view(row.run_id) as Parameters<typeof toTurn>[1])
    return turn && truncateText(turn.question.query, MAX_LABEL_CHARS)
  }
  return getQuestion(first.branches[0]) === label ? (getQuestion(getShownBranch(first, branches, run)) ?? label) : label
}

/** The server names a conversation by this many characters of its first question. */
const MAX_LABEL_CHARS = 80

interface TranscriptInput {
  app: Key
  route: ChatRoute
  conversationRead: ConversationRead
  /** The user from the composer, if changed there. */
  draftUser: ComposerDraft['user']
  defaultUser: string
}

/** The visible turns of the conversation, and earlier messages from the platform. */
function useTranscript({ app, route, conversationRead, draftUser, defaultUser }: TranscriptInput) {
  const { rows, isLoading, isTruncated } = conversationRead
  const { conversation, run: focus } = route
  const last = rows.at(-1)
  const lastTurn = last ? toTurn(last.run, runStore.view(last.run_id) as Parameters<typeof toTurn>[1]) : null
  const isWatching = useRunPart(last?.run_id ?? null, (view) => (view ? view.phase === 'watching' : null))
  const isStarting = last?.run ? isActiveStatus(last.run.status) : true
  const isBusy = last !== undefined && isStarting && (isWatching ?? isStarting)
  const turns = toBranchedTurns(rows)
  const lastShown = turns.at(-1) ? getShownBranch(turns.at(-1) as BranchedTurn, route.branches, focus) : undefined
  const [platformUser] = useDebouncedValue(draftUser ?? (lastTurn?.question.user || defaultUser), 400)
  const platformMessages = usePlatformMessages({
    app,
    conversation: isLoading ? null : conversation,
    user: lastTurn?.question.user || platformUser.trim(),
    rows,
    isTruncated,
  })
  /** Who owns the conversation; null while it is not known. */
  const owner = lastTurn?.question.user || (platformMessages.messages.length > 0 ? platformUser.trim() : null)
  const isEmpty = rows.length === 0 && !isTruncated && !platformMessages.error && platformMessages.earlier.length === 0
  // After sending, scroll to the new answer; after resending an older question, stay there.
  const lastOwnRun = turns.at(-1)?.branches.findLast(({ run_id }) => runStore.view(run_id)?.sent)?.run_id ?? ''
  const inspectedRun = rows.find(({ run_id }) => run_id === focus) ?? lastShown
  return { last, lastTurn, owner, isBusy, isEmpty, turns, platformMessages, lastOwnRun, inspectedRun }
}

const READ_MEDIA_IMMEDIATELY = { getInitialValueInEffect: false }

/** Which panes fit, and which are open. A pane that does not fit is a drawer, which closes on navigation. */
export function useChatPanes() {
  const fitsList = useMediaQuery('(min-width: 1200px)', true, READ_MEDIA_IMMEDIATELY)
  const fitsInspector = useMediaQuery('(min-width: 960px)', true, READ_MEDIA_IMMEDIATELY)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, READ_MEDIA_IMMEDIATELY)
  const [isPaneOpen, setPane] = useLocalStorage({
    key: 'loupe-chat-inspector',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isDrawerOpen, setDrawer] = useState(false)
  const conversation = new URLSearchParams(useLocation().search).get('conversation')
  const [listOpenedAt, setListOpenedAt] = useState<string | null>()
  const set = useCallback(
    (open: boolean) => (fitsInspector ? setPane(open) : setDrawer(open)),
    [fitsInspector, setPane],
  )
  const isInspectorOpen = fitsInspector ? isPaneOpen : isDrawerOpen
  return {
    hasRoomForList: fitsList,
    hasRoomForInspector: fitsInspector,
    isNarrow,
    isInspectorOpen,
    isDrawerOpen,
    areConversationsOpen: listOpenedAt === conversation,
    setConversations: (open: boolean) => setListOpenedAt(open ? conversation : undefined),
    openInspector: useCallback(() => set(true), [set]),
    toggleInspector: () => set(!isInspectorOpen),
  }
}
