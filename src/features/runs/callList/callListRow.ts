import type { Call } from '#contract/console/calls.ts'
import type { Run, RunFigures } from '#contract/console/runs.ts'
import { RUN_ENTRIES } from '../runEntries.ts'

/** A row of the list: what runs and other calls have in common. */
export type CallListRow = Pick<
  Call,
  | 'id'
  | 'entry'
  | 'status'
  | 'workspace'
  | 'key'
  | 'person'
  | 'user'
  | 'title'
  | 'parent'
  | 'created_at'
  | keyof RunFigures
  | 'frames'
  | 'conversation_id'
  | 'workflow_id'
  | 'origin'
  | 'tags'
  | 'rating'
  | 'run_note'
  | 'error_message'
  | 'excerpt'
> &
  Pick<Run, 'stop'>

export const isRunRow = ({ entry }: Pick<CallListRow, 'entry'>): boolean => entry in RUN_ENTRIES

/** Labels of the run kinds. */
export const RUN_KINDS = {
  'chat.send': 'chat',
  'completion.send': 'completion',
  'workflows.run': 'workflow',
} as const satisfies Record<Run['entry'], string>
