import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Run, RunOrigin, RunStatus } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { invalidateTags, useRead } from '../../../client/query.ts'
import { runStore, useRunEnd } from '../../../client/useRun.ts'
import { toTurnRows, type TurnRow } from './transcript/transcriptTurns.ts'
import { call } from '../../../client/http.ts'

const RECENT_RUNS_LIMIT = 100
/** How often the newest runs are polled, to show runs from other tabs and people (ms). */
const RECENT_RUNS_POLL_INTERVAL_MS = 4_000
/** A platform names a conversation a little after its first answer (ms). */
const NAMING_DELAY_MS = 3_000

export interface ConversationRead {
  rows: TurnRow[]
  /** The turns are still loading. */
  isLoading: boolean
  error: ReturnType<typeof useRead>['error']
  retry: () => void
  /** The newest run of each conversation of the app. */
  latestRuns: ReadonlyMap<string, LatestRun>
  /** There may be older turns than these. */
  isTruncated: boolean
}

/** The status and the user of a conversation, and where its first known turn was started. */
export interface LatestRun {
  status: RunStatus
  user: string | null
  origin: RunOrigin | null
}

/** Maximum number of turns, the newest ones. */
const MAX_TURNS = 500

/** The turns of the conversation in the URL, kept up to date: from the server and from this browser. */
export function useConversation(
  workspace: string,
  app: string,
  conversation: string | null,
  focus: string | null,
): ConversationRead {
  const client = useQueryClient()
  const turns = useRead(
    runEndpoints.listConversationRuns,
    { params: { conversation_id: conversation ?? '' }, query: { workspace, limit: MAX_TURNS } },
    { enabled: conversation !== null },
  )
  const serverRuns = turns.data?.data ?? []

  // After a reload before the platform has named the conversation, only the run is known.
  const isWithoutConversation = conversation === null && focus !== null && !runStore.view(focus)?.sent
  const orphanRun = useRead(
    runEndpoints.readRun,
    { params: { run_id: focus ?? '' } },
    { enabled: isWithoutConversation },
  )
  const singleRun = isWithoutConversation && orphanRun.data ? [orphanRun.data] : []

  const knownRuns = [...serverRuns, ...singleRun]
  const early = useEarlierRuns(knownRuns)

  const recent = useRead(
    runEndpoints.listRuns,
    { query: { workspace, key: app, entry: 'chat.send', limit: RECENT_RUNS_LIMIT } },
    { pollIntervalMs: RECENT_RUNS_POLL_INTERVAL_MS },
  )
  const { refetch } = turns
  const changeKey = getChangeKey(recent.data?.data ?? [], serverRuns, conversation)
  useEffect(() => {
    if (changeKey !== '') void refetch()
  }, [changeKey, refetch])

  const refetchTurns = useCallback(() => {
    void invalidateTags(client, chatEndpoints.send.invalidates)
    setTimeout(() => void invalidateTags(client, ['conversations']), NAMING_DELAY_MS)
  }, [client])
  useRunEnd(refetchTurns)
  return {
    rows: toTurnRows(
      [...early, ...knownRuns],
      runStore.all(),
      conversation ?? singleRun[0]?.conversation_id ?? null,
      focus,
    ),
    isLoading: conversation === null ? isWithoutConversation && orphanRun.isPending : turns.isPending,
    error: conversation === null ? (isWithoutConversation ? orphanRun.error : null) : turns.error,
    retry: () => void (conversation === null ? orphanRun.refetch() : turns.refetch()),
    latestRuns: getLatestRuns(recent.data?.data ?? []),
    isTruncated: serverRuns.length === MAX_TURNS,
  }
}

/** A key of the runs that differ from the loaded turns; it changes when there is news. */
const getChangeKey = (recent: readonly Run[], serverRuns: readonly Run[], conversation: string | null): string =>
  recent
    .filter(({ conversation_id }) => conversation !== null && conversation_id === conversation)
    .filter(
      (run) => serverRuns.length > 0 && !serverRuns.some(({ id, status }) => id === run.id && status === run.status),
    )
    .map(({ id, status }) => `${id} ${status}`)
    .join()

/** `recent` is sorted newest first. */
export function getLatestRuns(recent: readonly Run[]): Map<string, LatestRun> {
  const latestRuns = new Map<string, LatestRun>()
  for (const { conversation_id, status, user, origin = null } of recent)
    if (conversation_id)
      latestRuns.set(conversation_id, { ...(latestRuns.get(conversation_id) ?? { status, user }), origin })
  return latestRuns
}

/** Maximum failed attempts of a first question to load. */
const MAX_EARLIER_RUNS = 20

/**
 * Failed runs without a conversation from which a run of this one was derived, oldest first. The turns of a
 * conversation do not include them.
 */
export function useEarlierRuns(serverRuns: readonly Run[]): readonly Run[] {
  const knownRunIds = new Set(serverRuns.map(({ id }) => id))
  const orphan = serverRuns.find(({ parent }) => parent !== null && !knownRunIds.has(parent) && !runStore.view(parent))
  const from = orphan?.parent ?? null
  const read = useQuery({
    queryKey: ['earlier runs', from],
    queryFn: ({ signal }) => readAncestors(from, signal),
    enabled: from !== null,
    staleTime: Infinity,
  })
  return from === null ? [] : (read.data ?? [])
}

async function readAncestors(from: string | null, signal: AbortSignal): Promise<Run[]> {
  const ancestors: Run[] = []
  for (let run_id = from; run_id !== null && ancestors.length < MAX_EARLIER_RUNS;) {
    const run = await call(runEndpoints.readRun, { params: { run_id } }, { signal })
    // A run of another conversation is not an attempt of this turn: it was replayed from there.
    if (run.conversation_id !== null) break
    ancestors.unshift(run)
    run_id = run.parent
  }
  return ancestors
}
