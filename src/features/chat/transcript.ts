import type { Run } from '#contract/runs.ts'
import type { RunView } from '../../wire/runs.ts'

/** One line of a transcript: the server's row of the run, null while only this browser knows of it. */
export interface TurnRow {
  run_id: string
  run: Run | null
}

/**
 * The turns of a conversation, oldest first: those that the server told, then those of this browser that it has not told
 * yet. `focus` is the run in the URL; it belongs here as long as nothing says otherwise.
 */
export function rowsOf(
  told: readonly Run[],
  local: readonly RunView<unknown>[],
  conversation: string | null,
  focus: string | null,
): TurnRow[] {
  const known = new Set(told.map(({ id }) => id))
  const rows: TurnRow[] = told.map((run) => ({ run_id: run.id, run }))
  const own = local
    .filter((view) => !known.has(view.run_id) && belongs(view, conversation, focus))
    .sort((a, b) => (a.sent_at ?? 0) - (b.sent_at ?? 0))
  return [...rows, ...own.map(({ run_id }) => ({ run_id, run: null }))]
}

function belongs(view: RunView<unknown>, conversation: string | null, focus: string | null): boolean {
  const its = conversationOf(view)
  if (its === null) return view.run_id === focus
  return its === conversation || (conversation === null && view.run_id === focus)
}

/** The conversation of a run: the one that the platform named, else the one that was asked for. */
export function conversationOf(view: RunView<unknown>): string | null {
  const { conversation_id } = view.state as { conversation_id?: string | null }
  const asked = (view.sent?.body as { conversation_id?: string } | null | undefined)?.conversation_id
  return conversation_id ?? view.run?.conversation_id ?? (asked || null)
}
