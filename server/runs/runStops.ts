import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { isActiveStatus, type Run, type RunStatus, type RunStop } from '#contract/console/runs.ts'
import { findErrorCause, isStopCause, isZeroUsage } from '#domain/workflowRun/endCauses.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { countFramesWithin } from '../ledger/frames/storedFrames.ts'
import { type FoldState, getUsage, isAnswerState } from '../ledger/runStatus.ts'

/** The entries that stop a run; their calls record the stops. */
const STOP_ENTRIES = ['adjacent.stopChat', 'adjacent.stopCompletion', 'adjacent.stopWorkflow']
/**
 * Maximum wait in ms for the platform's response to a stop that is pending when the stream ends, and the interval of
 * the checks.
 */
const PENDING_STOP_TIMEOUT_MS = 10_000
const PENDING_STOP_POLL_MS = 50
/** An answer ends within this time (ms) after the platform accepted a stop. */
const STOP_EFFECT_MS = 2_000

interface StopCall {
  status: RunStatus
  person: string | null
  user: string | null
  created_at: Date
  duration_ms: number | null
  resource_ids: string[]
}

/** Identifies the stops of a run: those of its task in its workspace. */
export interface StoppableRun {
  workspace_id: string
  end_user: string | null
  task_id: string | null
}

/** Stops that the platform accepted or that are pending, oldest first. */
async function findStopCalls(pool: Pool, workspace_id: string, task_ids: string[]): Promise<StopCall[]> {
  const { rows } = await pool.query<Omit<StopCall, 'user'> & { request: unknown }>(
    `SELECT calls.status, people.name AS person, calls.request, calls.created_at, calls.duration_ms,
       calls.resource_ids
     FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE calls.resource_ids && $1 AND calls.workspace_id = $2 AND calls.entry = ANY($3)
       AND calls.status IN ('created', 'dispatched', 'succeeded')
     ORDER BY calls.created_at, calls.id`,
    [task_ids, workspace_id, STOP_ENTRIES],
  )
  return rows.map(({ request, ...row }) => {
    const { user } = (request ?? {}) as { user?: unknown }
    return { ...row, user: typeof user === 'string' ? user : null }
  })
}

/**
 * Whether a stop for the task and user of a run was accepted within `maxMs` before `endedAt`. Waits briefly for a
 * pending one: the stream may end before the response.
 */
export async function hasAcceptedStop(
  pool: Pool,
  run: StoppableRun,
  endedAt: Date,
  maxMs = Infinity,
): Promise<boolean> {
  const { task_id } = run
  if (task_id === null) return false
  const deadline = performance.now() + PENDING_STOP_TIMEOUT_MS
  for (;;) {
    const calls = (await findStopCalls(pool, run.workspace_id, [task_id])).filter(
      ({ user, status, created_at, duration_ms }) =>
        user === run.end_user &&
        created_at <= endedAt &&
        (isActiveStatus(status) || created_at.getTime() + (duration_ms ?? 0) >= endedAt.getTime() - maxMs),
    )
    if (calls.some(({ status }) => status === 'succeeded')) return true
    if (!calls.some(({ status }) => isActiveStatus(status)) || performance.now() > deadline) return false
    await wait(PENDING_STOP_POLL_MS)
  }
}

/** The fields of a run's end that a stop changes. */
interface StoppableEnd {
  status: RunStatus
  answer?: unknown
  total_tokens?: number | null
  total_price?: string | null
  currency?: string | null
}

/**
 * The end of an answer that our stop ended: `stopped`, although the platform ends it like a complete one. Zeros mean
 * that the platform measured nothing; other figures may also be those of a complete answer. Workflows name their
 * stops.
 */
export async function applyAcceptedStop<End extends StoppableEnd>(
  pool: Pool,
  run: Omit<StoppableRun, 'task_id'>,
  end: End,
  endedAt: Date,
): Promise<End> {
  const state = (end.answer ?? null) as FoldState | null
  if (!state || end.status !== 'succeeded' || !isAnswerState(state) || state.run.status !== null) return end
  const maxMs = isZeroUsage(state.usage) ? Infinity : STOP_EFFECT_MS
  if (!(await hasAcceptedStop(pool, { ...run, task_id: state.task_id }, endedAt, maxMs))) return end
  return { ...end, status: 'stopped', ...getUsage(state, 'stopped') }
}

/** The accepted stop of each run, by run id; null for none, or if its effect is unknown. Two queries per workspace. */
export async function findRunStops(pool: Pool, rows: readonly CallRow[]): Promise<Map<string, RunStop | null>> {
  const ended = rows.filter((row) => row.task_id !== null && !isActiveStatus(row.status))
  const stops = new Map<string, RunStop | null>()
  for (const [workspace_id, runs] of Map.groupBy(ended, (row) => row.workspace_id)) {
    const calls = await findStopCalls(
      pool,
      workspace_id,
      runs.map((row) => String(row.task_id)),
    )
    const effects = runs.flatMap((row) => {
      const ownCalls = calls.filter(
        ({ resource_ids, status }) => status === 'succeeded' && resource_ids.includes(String(row.task_id)),
      )
      return getStopEffect(row, ownCalls) ?? []
    })
    const frameCounts = await countFramesWithin(
      pool,
      effects.map(({ row, call }) => ({ id: row.id, ms: call.created_at.getTime() - row.created_at.getTime() })),
    )
    for (const { row, call, had_effect, reason } of effects)
      stops.set(row.id, {
        person: call.person,
        at: call.created_at.toISOString(),
        // The last frame came after a stop that ended the run, whatever the clocks say.
        after_frame: Math.min(frameCounts.get(row.id) ?? 0, had_effect ? Math.max(0, row.frames - 1) : row.frames),
        had_effect,
        reason,
      })
  }
  return stops
}

export async function withStops(pool: Pool, rows: readonly CallRow[], runs: readonly Run[]): Promise<Run[]> {
  const stops = await findRunStops(pool, rows)
  return runs.map((run) => ({ ...run, stop: stops.get(run.id) ?? null }))
}

interface StopEffect extends Pick<RunStop, 'had_effect' | 'reason'> {
  row: CallRow
  /** The stop that ended the run, or the last one. */
  call: StopCall
}

/** The effect of the accepted stops of a run; null for none, or if it is unknown. */
function getStopEffect(row: CallRow, calls: readonly StopCall[]): StopEffect | null {
  const isOwn = ({ user }: StopCall) => user === row.end_user
  const endedAtMs = row.created_at.getTime() + (row.duration_ms ?? 0)
  const isInTime = ({ created_at }: StopCall) => created_at.getTime() <= endedAtMs
  const cause = findErrorCause(row.error_message)
  const effective = row.status === 'stopped' && (cause === null || isStopCause(cause)) ? calls.find(isOwn) : undefined
  const call = effective ?? calls.at(-1)
  if (!call) return null
  const reason = effective ? null : getReason(call)
  // A workflow may be stopped by another user: the platform's end says so, so nothing is claimed.
  const isUnclear = !effective && reason === 'other_user' && (row.status === 'stopped' || row.status === 'failed')
  return isUnclear ? null : { row, call, had_effect: effective !== undefined, reason }

  function getReason(stop: StopCall): RunStop['reason'] {
    if (!isOwn(stop)) return 'other_user'
    if (row.status === 'paused') return 'paused'
    return isInTime(stop) ? null : 'ended'
  }
}
