import { z } from 'zod'
import type { StatusColor } from '../statuses.ts'
import { Problem } from '../problem.ts'

/** What may follow a status of a run, by its group. */
const RUN_STATUS_NEXT = {
  /** Any other one. */
  active: ['active', 'success', 'failure', 'paused', 'unclear'],
  /** It continues, or the platform reports its end. */
  paused: ['active', 'success', 'failure', 'paused', 'unclear'],
  /** The end was not received; the platform may still report it. */
  unclear: ['success', 'failure', 'paused', 'unclear'],
  success: [],
  failure: [],
} as const

interface RunStatusRow {
  group: keyof typeof RUN_STATUS_NEXT
  color: StatusColor
}

/**
 * The statuses of a run; badges show their names. `partial-succeeded`: the workflow handled failed nodes. `refused`: the
 * platform refused the inputs and keeps no run. `paused`: the workflow waits for a person at the platform. `interrupted`:
 * the end was not received. `unknown`: the call may have run.
 */
export const RUN_STATUS_TABLE = {
  created: { group: 'active', color: 'queued' },
  dispatched: { group: 'active', color: 'running' },
  streaming: { group: 'active', color: 'running' },
  succeeded: { group: 'success', color: 'succeeded' },
  'partial-succeeded': { group: 'success', color: 'succeeded' },
  failed: { group: 'failure', color: 'failed' },
  refused: { group: 'failure', color: 'failed' },
  stopped: { group: 'failure', color: 'stopped' },
  paused: { group: 'paused', color: 'paused' },
  interrupted: { group: 'unclear', color: 'interrupted' },
  unknown: { group: 'unclear', color: 'unknown' },
} as const satisfies Record<string, RunStatusRow>
export type RunStatus = keyof typeof RUN_STATUS_TABLE
export const RUN_STATUSES = Object.keys(RUN_STATUS_TABLE) as [RunStatus, ...RunStatus[]]

const getGroup = (status: string): RunStatusRow['group'] | undefined => RUN_STATUS_TABLE[status as RunStatus]?.group
export const isActiveStatus = (status: string): boolean => getGroup(status) === 'active'
/** It reached its end with a result, with or without handled failures. */
export const isSuccessStatus = (status: string): boolean => getGroup(status) === 'success'
/** Its end was not received. */
export const isUnclearStatus = (status: string): boolean => getGroup(status) === 'unclear'
/** Its result may still be requested from the platform. */
export function isUnresolvedStatus(status: string): boolean {
  const group = getGroup(status)
  return group !== undefined && group !== 'active' && RUN_STATUS_NEXT[group].length > 0
}

export const ACTIVE_STATUSES = RUN_STATUSES.filter(isActiveStatus)
export const SUCCESS_STATUSES = RUN_STATUSES.filter(isSuccessStatus)
export const UNCLEAR_STATUSES = RUN_STATUSES.filter(isUnclearStatus)
export const UNRESOLVED_STATUSES = RUN_STATUSES.filter(isUnresolvedStatus)

/**
 * Where a run was started. `chat`, `completion` and `workflows` are the playgrounds, `api` a script or another
 * program, `platform` a run that was started outside this console and loaded by its id.
 */
export const RUN_ORIGINS = ['chat', 'completion', 'workflows', 'replay', 'board', 'batch', 'api', 'platform'] as const
export type RunOriginKind = (typeof RUN_ORIGINS)[number]

/** `id` and `name` belong to the batch or board; null for other origins, and if it is deleted or out of scope. */
export const RunOrigin = z.object({
  kind: z.enum(RUN_ORIGINS),
  id: z.string().nullable(),
  name: z.string().nullable(),
})
export type RunOrigin = z.output<typeof RunOrigin>

/** A label on runs. A comma separates tags in a filter. */
export const RunTag = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^,\p{Cc}]+$/u, { error: 'must not contain commas or control characters' })
export const MAX_RUN_TAGS = 20
export const MAX_RUN_NOTE_CHARS = 2000

/** Ratings of answers, in the interface's values. */
export const RUN_RATINGS = ['like', 'dislike'] as const

/** The last rating of an answer given through this console. `person` is null if unknown. */
export const RunRating = z.object({ rating: z.enum(RUN_RATINGS), person: z.string().nullable(), at: z.string() })
export type RunRating = z.output<typeof RunRating>

/** What the console itself knows about a run. Absent in run files of earlier releases. */
export const callMarks = {
  /** Null for other calls, and for runs of releases that did not record it. */
  origin: RunOrigin.nullable().optional(),
  tags: z.array(z.string()).optional(),
  run_note: z.string().nullable().optional(),
  /**
   * The beginning of the failure's message: of the call, its stream or its workflow. Also why the platform stopped a
   * run itself.
   */
  error_message: z.string().nullable().optional(),
  /** Only in a search: the part of the request or reply with the first match. */
  excerpt: z.string().optional(),
  /** Present in lists and on one run; null if nobody rated the answer here, or the rating was removed. */
  rating: RunRating.nullable().optional(),
}

/** A stop sent by this console and accepted by the platform, and its effect. */
export const RunStop = z.object({
  /** Null if the person is unknown. */
  person: z.string().nullable(),
  at: z.string(),
  /** Number of frames received before it was sent, by the clocks of the rows. */
  after_frame: z.number(),
  /** Whether it ended the run. If not, `reason` says why; null if that is unknown. */
  had_effect: z.boolean(),
  reason: z.enum(['ended', 'paused', 'other_user']).nullable(),
})
export type RunStop = z.output<typeof RunStop>

/**
 * A missed part of a run's stream: between its frame `after_frame` and the resumption of the stream. Milliseconds
 * since the request was sent.
 */
export const RunGap = z.object({
  after_frame: z.number(),
  from_ms: z.number(),
  to_ms: z.number(),
  /** In the answer of a run: where text may be missing; null if the platform's record filled the gap. */
  after_chars: z.number().nullable().optional(),
})
export type RunGap = z.output<typeof RunGap>

/**
 * The figures of a call: `field` is its column, and its name in the API and in files; `sort` is its name in the order of a
 * list. Times are milliseconds since the request was sent; prices are decimal numbers as text. Null where a figure was not
 * measured or not reported. What lists, sums, files and cells show of a call comes from here.
 */
export const RUN_FIGURES = {
  duration: { field: 'duration_ms', unit: 'ms', sort: 'duration' },
  firstToken: { field: 'first_token_ms', unit: 'ms', sort: 'first_token' },
  tokens: { field: 'total_tokens', unit: 'count', sort: 'tokens' },
  price: { field: 'total_price', unit: 'price', sort: 'price' },
  currency: { field: 'currency', unit: 'currency', sort: null },
} as const

type RunFigure = (typeof RUN_FIGURES)[keyof typeof RUN_FIGURES]
type RunFigureUnit = RunFigure['unit']
interface UnitValues {
  ms: number
  count: number
  price: string
  currency: string
}
export type RunFigures = { [Figure in RunFigure as Figure['field']]: UnitValues[Figure['unit']] | null }

const figures: readonly RunFigure[] = Object.values(RUN_FIGURES)

/** For each figure what its unit gives: a schema, a type of SQL, a value that can be stored. */
export const mapRunFigures = <Values extends Record<RunFigureUnit, unknown>>(values: Values) =>
  Object.fromEntries(figures.map(({ field, unit }) => [field, values[unit]])) as {
    [Figure in RunFigure as Figure['field']]: Values[Figure['unit']]
  }

export const pickRunFigures = (call: RunFigures): RunFigures =>
  Object.fromEntries(figures.map(({ field }) => [field, call[field]])) as unknown as RunFigures

export const RUN_FIGURE_SORTS = figures.flatMap(({ sort }) => sort ?? [])

export const runFigureFields = mapRunFigures({
  ms: z.number().nullable(),
  count: z.number().nullable(),
  price: z.string().nullable(),
  currency: z.string().nullable(),
})

/**
 * One generating call. `answer` is the fold of its frames (an `AnswerState` or a `RunState`), present on one run,
 * absent in lists.
 */
export const Run = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  entry: z.enum(['chat.send', 'completion.send', 'workflows.run']),
  workspace: z.string(),
  key: z.string(),
  person: z.string().nullable(),
  user: z.string().nullable(),
  response_mode: z.enum(['streaming', 'blocking']),
  /** The question, or the inputs as JSON, cut at 200 characters. */
  title: z.string(),
  parent: z.string().nullable(),
  conversation_id: z.string().nullable(),
  message_id: z.string().nullable(),
  task_id: z.string().nullable(),
  workflow_run_id: z.string().nullable(),
  /** The version of the workflow that ran, as reported by the platform. */
  workflow_id: z.string().nullable().default(null),
  /** The requested version; null for the current one. */
  pinned_workflow_id: z.string().nullable().default(null),
  frames: z.number(),
  bytes: z.number(),
  created_at: z.string(),
  /** Milliseconds since the request was sent; null if it did not happen. */
  first_frame_ms: z.number().nullable(),
  ...runFigureFields,
  /** The platform's release (`X-Version`), if it reported one. */
  platform_version: z.string().nullable().default(null),
  /** Where the stream was interrupted and resumed, in order. */
  gaps: z.array(RunGap).optional(),
  problem: Problem.nullable(),
  /** The status that an earlier release stored, if the frames are interpreted differently now. */
  earlier_status: z.enum(RUN_STATUSES).nullable().optional(),
  /**
   * Present on one run and in conversations, in lists only for stopped runs; null if no stop was accepted, or its
   * effect is unknown.
   */
  stop: RunStop.nullable().optional(),
  ...callMarks,
  request: z.unknown().optional(),
  answer: z.unknown().optional(),
})
export type Run = z.output<typeof Run>

/**
 * One stored frame: `at` milliseconds since the request was sent, `bytes` its size on the wire, `block` its text. `raw`
 * is present only if text cannot represent the bytes (invalid UTF-8, or a NUL): base64.
 */
export const Frame = z.object({
  seq: z.number(),
  at: z.number(),
  bytes: z.number(),
  block: z.string(),
  raw: z.string().optional(),
})
export type Frame = z.output<typeof Frame>
