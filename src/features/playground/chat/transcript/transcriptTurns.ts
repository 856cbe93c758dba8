import type { Run } from '#contract/console/runs.ts'
import type { RunView } from '../../../../client/runStore.ts'

/** A run of a transcript: the server's row, null while only this browser knows the run. */
export interface TurnRow {
  run_id: string
  run: Run | null
  /** The run whose question was edited or sent again. */
  parent: string | null
}

/** A turn: one question and its runs, each a branch, oldest first. There is at least one. */
export interface BranchedTurn {
  /** The first run of the turn. */
  id: string
  branches: [TurnRow, ...TurnRow[]]
}

/**
 * The turns of a conversation, oldest first: those of the server, then those of this browser that the server has not
 * returned yet. `focus` is the run in the URL; it belongs here unless its record says otherwise.
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
  // Ancestors of the first server run come before it; other runs of this browser come after the server's.
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

/** A run and its ancestors: a first question that failed is linked to the conversation only by its retry. */
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
 * Groups runs into turns with branches, ordered by first run. A run derived from another of this transcript is a
 * branch of that turn, whatever its position on the platform.
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

/** The shown branch: the selected one, else the focused one, else the newest. */
export const getShownBranch = (
  { branches }: BranchedTurn,
  selectedBranches: readonly string[],
  focus: string | null,
): TurnRow =>
  branches.find(({ run_id }) => selectedBranches.includes(run_id)) ??
  branches.find(({ run_id }) => run_id === focus) ??
  (branches.at(-1) as TurnRow)

/** Selects a branch: at most one entry per turn, and none for the newest branch, which is the default. */
export function selectBranch(
  selectedBranches: readonly string[],
  branches: readonly string[],
  run_id: string | null,
): string[] {
  const others = selectedBranches.filter((one) => !branches.includes(one))
  return run_id === null || run_id === branches.at(-1) ? others : [...others, run_id]
}

/** The conversation of a run: the one that the platform named, else the one in the request. */
export function getConversationId(view: RunView<unknown>): string | null {
  const { conversation_id } = view.state as { conversation_id?: string | null }
  const requestedConversation = (view.sent?.body as { conversation_id?: string } | null | undefined)?.conversation_id
  return conversation_id ?? view.run?.conversation_id ?? (requestedConversation || null)
}
