import type { Run } from '#contract/console/runs.ts'
import type { RunView } from '../../../../client/runStore.ts'

/** One run of a transcript: the server's row of it, null while only this browser knows of it. */
export interface TurnRow {
  run_id: string
  run: Run | null
  /** The run that this one was made from: its question was edited, or asked once more. */
  parent: string | null
}

/** A turn: one question and what became of it, each try a branch, oldest first. There is always one. */
export interface BranchedTurn {
  /** The run that asked first. */
  id: string
  branches: [TurnRow, ...TurnRow[]]
}

/**
 * The turns of a conversation, oldest first: those that the server told, then those of this browser that it has not told
 * yet. `focus` is the run in the URL; it belongs here as long as nothing says otherwise.
 */
export function toTurnRows(
  serverRuns: readonly Run[],
  local: readonly RunView<unknown>[],
  conversation: string | null,
  focus: string | null,
): TurnRow[] {
  const serverRunIds = new Set(serverRuns.map(({ id }) => id))
  const rows: TurnRow[] = serverRuns.map((run) => ({ run_id: run.id, run, parent: run.parent }))
  const earlier = new Set(serverRuns.flatMap(({ parent }) => [...listAncestorIds(parent, local)]))
  const family = new Set([...listAncestorIds(focus, local), ...earlier])
  const ownRuns = local
    .filter((view) => !serverRunIds.has(view.run_id) && belongsToConversation(view, conversation, family))
    .sort((a, b) => (a.sent_at ?? 0) - (b.sent_at ?? 0))
    .map(({ run_id, sent }): TurnRow => ({ run_id, run: null, parent: sent?.parent ?? null }))
  // What the first told run was made from came before it; all else of this browser comes after what is told.
  return [
    ...ownRuns.filter((row) => earlier.has(row.run_id)),
    ...rows,
    ...ownRuns.filter((row) => !earlier.has(row.run_id)),
  ]
}

function belongsToConversation(
  view: RunView<unknown>,
  conversation: string | null,
  family: ReadonlySet<string>,
): boolean {
  const runConversation = getConversationId(view)
  if (runConversation === null) return family.has(view.run_id)
  return runConversation === conversation || (conversation === null && family.has(view.run_id))
}

/** A run, and those that it was made from: a first question that failed has no conversation but its later try. */
function listAncestorIds(run_id: string | null, local: readonly RunView<unknown>[]): Set<string> {
  const family = new Set<string>()
  for (let next = run_id; next !== null && !family.has(next);) {
    family.add(next)
    const now = next
    next = local.find((view) => view.run_id === now)?.sent?.parent ?? null
  }
  return family
}

/**
 * Turns with their branches, in the order of their first tries. A run made from another one of this transcript is a
 * branch of that one's turn, wherever the platform has put it in its own conversation.
 */
export function toBranchedTurns(rows: readonly TurnRow[]): BranchedTurn[] {
  const turns = new Map<string, BranchedTurn>()
  for (const row of rows) {
    const turn = row.parent === null ? undefined : turns.get(row.parent)
    turn?.branches.push(row)
    turns.set(row.run_id, turn ?? { id: row.run_id, branches: [row] })
  }
  return [...new Set(turns.values())]
}

/** The branch that is shown: the one that was chosen, else the one looked at, else the newest. */
export const getShownBranch = (
  { branches }: BranchedTurn,
  selectedBranches: readonly string[],
  focus: string | null,
): TurnRow =>
  branches.find(({ run_id }) => selectedBranches.includes(run_id)) ??
  branches.find(({ run_id }) => run_id === focus) ??
  (branches.at(-1) as TurnRow)

/** The choice of branches after one more: a turn has one at most, and none for its newest branch, which needs no word. */
export function selectBranch(
  selectedBranches: readonly string[],
  branches: readonly string[],
  run_id: string | null,
): string[] {
  const others = selectedBranches.filter((one) => !branches.includes(one))
  return run_id === null || run_id === branches.at(-1) ? others : [...others, run_id]
}

/** The conversation of a run: the one that the platform named, else the one that was asked for. */
export function getConversationId(view: RunView<unknown>): string | null {
  const { conversation_id } = view.state as { conversation_id?: string | null }
  const requestedConversation = (view.sent?.body as { conversation_id?: string } | null | undefined)?.conversation_id
  return conversation_id ?? view.run?.conversation_id ?? (requestedConversation || null)
}
