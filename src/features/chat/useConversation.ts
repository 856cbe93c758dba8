import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Run, RunStatus } from '#contract/runs.ts'
import { contract } from '#contract/index.ts'
import { refresh, useRead } from '../../wire/query.ts'
import { runs, useRunEnd } from '../../wire/useRun.ts'
import { useEarlier } from './useEarlier.ts'
import { rowsOf, type TurnRow } from './transcript.ts'

const RECENT = 100
/** How often the newest runs are looked at, so that what another tab or person asks comes up here too. */
const POLL = 4_000
/** A platform names a conversation after its first answer, by itself and a little later. */
const NAMING = 3_000

export interface Conversation {
  rows: TurnRow[]
  /** The turns are not here yet. */
  isLoading: boolean
  error: ReturnType<typeof useRead>['error']
  retry: () => void
  /** The newest run of each conversation of the app. */
  newest: ReadonlyMap<string, Newest>
  /** There may be older turns than these. */
  isCut: boolean
}

/** How a conversation stands, and whose it is. */
export interface Newest {
  status: RunStatus
  user: string | null
}

/** So many turns are read at once, the newest. */
const MOST = 500

/** The turns of the conversation in the URL, kept fresh: those of the server, and those that only this browser knows. */
export function useConversation(
  workspace: string,
  app: string,
  conversation: string | null,
  focus: string | null,
): Conversation {
  const client = useQueryClient()
  const turns = useRead(
    contract.console.listTurns,
    { params: { conversation_id: conversation ?? '' }, query: { workspace, limit: MOST } },
    { enabled: conversation !== null },
  )
  const isHere = conversation !== null && !turns.isPlaceholderData
  const told = isHere ? (turns.data?.data ?? []) : []

  // A reload before the platform has named the conversation: all there is is the run.
  const isAlone = conversation === null && focus !== null && !runs.view(focus)?.sent
  const alone = useRead(contract.console.readRun, { params: { run_id: focus ?? '' } }, { enabled: isAlone })
  const single = isAlone && alone.data?.id === focus ? [alone.data] : []

  const known = [...told, ...single]
  const early = useEarlier(known)

  const recent = useRead(
    contract.console.listRuns,
    { query: { workspace, key: app, entry: 'chat.send', limit: RECENT } },
    { poll: POLL },
  )
  const { refetch } = turns
  const news = newsOf(recent.data?.data ?? [], told, conversation)
  useEffect(() => {
    if (news !== '') void refetch()
  }, [news, refetch])

  const reread = useCallback(() => {
    void refresh(client, contract.chat.send.touches)
    setTimeout(() => void refresh(client, ['conversations']), NAMING)
  }, [client])
  useRunEnd(reread)
  return {
    rows: rowsOf([...early, ...known], runs.all(), conversation ?? single[0]?.conversation_id ?? null, focus),
    isLoading: conversation === null ? isAlone && alone.isPending : turns.isPending || !isHere,
    error: conversation === null ? (isAlone ? alone.error : null) : turns.error,
    retry: () => void (conversation === null ? alone.refetch() : turns.refetch()),
    newest: newestOf(recent.data?.data ?? []),
    isCut: told.length === MOST,
  }
}

/** The runs of the conversation that the turns do not show as they stand; their text changes when there is more news. */
const newsOf = (recent: readonly Run[], told: readonly Run[], conversation: string | null): string =>
  recent
    .filter(({ conversation_id }) => conversation !== null && conversation_id === conversation)
    .filter((run) => told.length > 0 && !told.some(({ id, status }) => id === run.id && status === run.status))
    .map(({ id, status }) => `${id} ${status}`)
    .join()

function newestOf(recent: readonly Run[]): Map<string, Newest> {
  const newest = new Map<string, Newest>()
  for (const { conversation_id, status, user } of recent)
    if (conversation_id && !newest.has(conversation_id)) newest.set(conversation_id, { status, user })
  return newest
}
