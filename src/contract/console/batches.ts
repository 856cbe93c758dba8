import { z } from 'zod'
import { endpoint, Id, PathSegmentId } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { storable } from '../storable.ts'
import * as shape from '../platform/schemas.ts'
import { MAX_RUN_TAGS, RUN_STATUSES, RunStop, RunTag } from './runs.ts'
import { BATCH_ROW_STATE_COLORS } from '../statuses.ts'

/**
 * A batch of rows that the server processes by itself, one by one or in parallel: it needs no browser and resumes after
 * a restart. Each row is one call in the ledger, under an id that is stored before the request is sent.
 */
export const BATCH_KINDS = ['run', 'annotations', 'experiment', 'sweep', 'runs', 'board'] as const
export type BatchKind = (typeof BATCH_KINDS)[number]
/** Those in the list of batches; the others are found where they were started. */
export const LISTED_BATCH_KINDS = ['run', 'annotations', 'runs'] as const satisfies BatchKind[]
/** `filling` while rows are added, `ended` when no row is waiting. */
export const BATCH_STATES = ['filling', 'running', 'paused', 'ended'] as const
export type BatchState = (typeof BATCH_STATES)[number]
/**
 * State of a row. `unknown`: its request may have reached the platform, but the result was lost; it is not resent
 * unless a person asks for that.
 */
export type BatchRowState = keyof typeof BATCH_ROW_STATE_COLORS
export const BATCH_ROW_STATES = Object.keys(BATCH_ROW_STATE_COLORS) as [BatchRowState, ...BatchRowState[]]
/** Why a batch is paused. `no_access`: the person who started it may no longer run it; `problem` has the reason. */
export const PAUSE_REASONS = [
  'not_started',
  'dry_run',
  'person',
  'no_access',
  'row_cap',
  'token_cap',
  'no_tokens',
  'price_cap',
  'no_price',
  'refused',
] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

export const MAX_BATCH_ROWS = 100_000
export const ROW_UPLOAD_LIMIT = { maxRows: 500, maxBytes: 512 * 1024 }
/** Characters of one row's input as JSON. */
export const MAX_ROW_CHARS = 400_000
/** Rows and columns of a source file. */
export const MAX_FILE_ROWS = 1_048_576
export const MAX_FILE_COLUMNS = 2_000
const MAX_COLUMN_NAME_CHARS = 1_000

/** Maximum concurrent rows of a batch. */
export const MAX_ROWS_AT_ONCE = 50

/** Rate and automatic limits of a batch. Null: no limit. */
const batchLimitFields = {
  at_once: z.number().int().min(1).max(MAX_ROWS_AT_ONCE),
  per_minute: z.number().int().min(1).max(6000).nullable(),
  /** The batch pauses after this many rows. */
  max_rows: z.number().int().min(1).max(MAX_BATCH_ROWS).nullable(),
  /** It pauses before a row that would exceed this many tokens, estimated from the rows so far. */
  max_tokens: z.number().int().min(1).max(1_000_000_000).nullable(),
  /** The same for the price, in each currency. */
  max_price: z.number().positive().max(1_000_000_000).nullable(),
}
export const BatchLimits = z.strictObject(batchLimitFields)
export type BatchLimits = z.output<typeof BatchLimits>
export const DEFAULT_BATCH_LIMITS: BatchLimits = {
  at_once: 4,
  per_minute: null,
  max_rows: null,
  max_tokens: null,
  max_price: null,
}

/** Settings that rows of runs share. `workflow_id` is of a workflow or a chatflow. */
export const BatchRunSettings = z.strictObject({
  user: storable(shape.EndUser),
  response_mode: shape.ResponseMode.default('streaming'),
  /** The version of the workflow that the rows run; default: the current one at that time. */
  workflow_id: PathSegmentId.optional(),
})

/** Rows of the source table that were not sent: invalid ones, and those whose question already exists. */
export const OmittedRows = z.strictObject({
  invalid: z.number().int().min(0).max(MAX_BATCH_ROWS),
  duplicate: z.number().int().min(0).max(MAX_BATCH_ROWS),
})
export type OmittedRows = z.output<typeof OmittedRows>

/** Files in addition to one row's inputs. */
const MAX_ROW_FILES = 100
/** Questions of one conversation. */
export const MAX_ROW_TURNS = 50

/** The input of one row, and the other columns of its line in the source file (which are not sent to the app). */
export const BatchRowInput = z.strictObject({
  inputs: shape.objectField,
  /** `files` of the run's request. */
  files: z.array(shape.FileInput).max(MAX_ROW_FILES).optional(),
  /** The questions of a chat: each row is a separate conversation, and its turns are sent in this order. */
  turns: z.array(z.string().min(1).max(MAX_ROW_CHARS)).min(1).max(MAX_ROW_TURNS).optional(),
  beside: z.record(z.string(), z.string()).default({}),
  /** Its number among the rows of the source file, if other rows were skipped. */
  file_row: z.number().int().min(1).max(MAX_FILE_ROWS).optional(),
})
export type BatchRowInput = z.output<typeof BatchRowInput>

/**
 * The file of the rows, so that the export has its columns in their order. `target`: what the column is mapped to; a
 * column without one is only in `beside`. A cell in `beside` is the file's text where the input has it in another
 * form.
 */
export const BatchSource = z.strictObject({
  name: z.string().max(255),
  /** Rows of the file, including skipped ones. */
  rows: z.number().int().min(0).max(MAX_FILE_ROWS),
  columns: z
    .array(
      z.strictObject({
        name: z.string().max(MAX_COLUMN_NAME_CHARS),
        target: z
          .union([
            z.strictObject({ input: z.string().max(MAX_COLUMN_NAME_CHARS) }),
            z.strictObject({ turn: z.number().int().min(1).max(MAX_ROW_TURNS) }),
            z.literal('files'),
          ])
          .nullable(),
      }),
    )
    .max(MAX_FILE_COLUMNS),
})
export type BatchSource = z.output<typeof BatchSource>

export const Batch = z.object({
  id: z.string(),
  kind: z.enum(BATCH_KINDS),
  state: z.enum(BATCH_STATES),
  pause: z.enum(PAUSE_REASONS).nullable(),
  /** The error of the platform (or the console) that paused or delays it. */
  problem: Problem.nullable(),
  /** No row is sent before this time, as the platform requested; null if the batch is not delayed. */
  waits_until: z.string().nullable(),
  workspace: z.string(),
  /** The key and the operation that its rows call; null where each row has its own, or none. */
  key: z.string().nullable(),
  entry: z
    .enum(['chat.send', 'completion.send', 'workflows.run', 'annotations.create', 'adjacent.retrieve'])
    .nullable(),
  name: z.string(),
  /** Null for annotations. */
  settings: BatchRunSettings.nullable(),
  /** For an import of annotations; null if it was not recorded. */
  omitted: OmittedRows.nullable().default(null),
  bounds: BatchLimits,
  person: z.string().nullable(),
  total: z.number(),
  source: BatchSource.nullable(),
  counts: z.record(z.enum(BATCH_ROW_STATES), z.number()),
  /**
   * Totals of all ended rows; null if the platform reported none. `tokens_rows` and `rows` count the rows with a
   * value.
   */
  tokens: z.number().nullable(),
  tokens_rows: z.number(),
  prices: z.array(z.object({ currency: z.string().nullable(), total: z.string(), rows: z.number() })),
  /** Average duration of a succeeded row in ms. */
  row_ms: z.number().nullable(),
  created_at: z.string(),
  began_at: z.string().nullable(),
  ended_at: z.string().nullable(),
})
export type Batch = z.output<typeof Batch>

export const BatchRow = z.object({
  number: z.number(),
  state: z.enum(BATCH_ROW_STATES),
  /** The texts and numbers of its inputs, cut at 200 characters; the run and the export have all of them. */
  title: z.string(),
  /** Its number in the source file, which the person knows; equal to `number` unless rows of the file were skipped. */
  file_row: z.number(),
  /** The run of the row; after retries and turns, the last one. */
  run: z.string().nullable(),
  /** The stop that ended that run; null for none, or if it is unknown. */
  stop: RunStop.nullable().default(null),
  /** Questions of the row, and the runs of those that were answered before the last one. */
  turns: z.number(),
  turn_runs: z.array(z.string()),
  attempts: z.number(),
  problem: Problem.nullable(),
  result: z.string().nullable(),
  began_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  price: z.string().nullable(),
  currency: z.string().nullable(),
  /** The status of the run when the row ended, if it is interpreted differently now. */
  earlier_status: z.enum(RUN_STATUSES).nullable().optional(),
})
export type BatchRow = z.output<typeof BatchRow>

/** Runs of one job. */
export const MAX_JOB_RUNS = 5_000

/** What a job does with each of its runs. */
export const RunAction = z.strictObject({
  kind: z.literal('tag'),
  add: z.array(RunTag).max(MAX_RUN_TAGS).default([]),
  remove: z.array(RunTag).max(MAX_RUN_TAGS).default([]),
})
export type RunAction = z.output<typeof RunAction>

const batchName = z.string().trim().min(1).max(120)

export const batchEndpoints = {
  /** Newest first. */
  listBatches: endpoint({
    method: 'GET',
    path: '/api/batches',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id.optional(),
      key: Id.optional(),
      kind: z.enum(BATCH_KINDS).optional(),
      state: z.enum(BATCH_STATES).optional(),
      page: shape.pageParam,
      limit: shape.limitParam,
    }),
    reply: z.object({
      data: z.array(Batch),
      total: z.number(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
    }),
    tags: ['batches'],
  }),
  readBatch: endpoint({
    method: 'GET',
    path: '/api/batches/:batch_id',
    key: 'none',
    permission: 'read',
    reply: Batch,
    tags: ['batches'],
  }),
  /** Creates a batch without rows; they are added in parts. The same `id` again returns the existing batch. */
  createBatch: endpoint({
    method: 'POST',
    path: '/api/batches',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      id: Id.optional(),
      /** Experiments are created by their suite. */
      kind: z.enum(['run', 'annotations']).default('run'),
      /** A chat, completion or workflow key; for annotations a chat or completion key. */
      key: Id,
      name: batchName,
      total: z.number().int().min(1).max(MAX_BATCH_ROWS),
      source: BatchSource.nullable().default(null),
      settings: BatchRunSettings.nullable().default(null),
      omitted: OmittedRows.nullable().default(null),
      at_once: batchLimitFields.at_once.default(4),
      per_minute: batchLimitFields.per_minute.default(null),
      max_rows: batchLimitFields.max_rows.default(null),
      max_tokens: batchLimitFields.max_tokens.default(null),
      max_price: batchLimitFields.max_price.default(null),
    }),
    reply: Batch,
    invalidates: ['batches'],
  }),
  /**
   * Does something with many runs, as a batch that is paused, resumed, cancelled and retried as any other. The runs are those
   * of the request; each is checked against the rights of the person who started the job when its turn comes. The same `id`
   * again returns the existing job.
   */
  startRunJob: endpoint({
    method: 'POST',
    path: '/api/run-jobs',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      id: Id.optional(),
      workspace: Id,
      name: batchName,
      run_ids: z.array(Id).min(1).max(MAX_JOB_RUNS),
      action: RunAction,
    }),
    reply: Batch,
    invalidates: ['batches'],
  }),
  /** Rows from number `first` on (the first row is 1). Existing rows are not changed. */
  addBatchRows: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/rows',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      first: z.number().int().min(1).max(MAX_BATCH_ROWS),
      rows: z.array(storable(BatchRowInput)).min(1).max(ROW_UPLOAD_LIMIT.maxRows),
    }),
    reply: z.object({ id: z.string(), missing: z.number() }),
    invalidates: ['batches'],
  }),
  updateBatch: endpoint({
    method: 'PATCH',
    path: '/api/batches/:batch_id',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ name: batchName.optional(), ...BatchLimits.partial().shape }),
    reply: Batch,
    invalidates: ['batches'],
  }),
  /** Starts, or resumes after a pause; may set the limits. `only`: pause after this many more rows. */
  startBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/start',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      ...BatchLimits.partial().shape,
      only: z.number().int().min(1).max(MAX_BATCH_ROWS).optional(),
    }),
    reply: Batch,
    invalidates: ['batches'],
  }),
  /** Sends no more rows; active rows are read to their end. */
  pauseBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/pause',
    key: 'none',
    permission: 'run',
    reply: Batch,
    invalidates: ['batches'],
  }),
  /** Stops the rows that wait; active rows are read to their end, and then the batch has ended. */
  cancelBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/cancel',
    key: 'none',
    permission: 'run',
    reply: Batch,
    invalidates: ['batches'],
  }),
  /** Resends the rows with these states, or one row. */
  retryBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/retry',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      states: z.array(z.enum(['failed', 'stopped', 'unknown'])).min(1),
      number: z.number().int().min(1).max(MAX_BATCH_ROWS).optional(),
    }),
    reply: Batch,
    invalidates: ['batches'],
  }),
  deleteBatch: endpoint({
    method: 'DELETE',
    path: '/api/batches/:batch_id',
    key: 'none',
    permission: 'run',
    reply: z.object({ id: z.string() }),
    invalidates: ['batches'],
  }),
  listBatchRows: endpoint({
    method: 'GET',
    path: '/api/batches/:batch_id/rows',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      state: z.enum(BATCH_ROW_STATES).optional(),
      page: shape.pageParam,
      limit: shape.intParam(1, 200).default(100),
    }),
    reply: z.object({
      data: z.array(BatchRow),
      total: z.number(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
    }),
    tags: ['batches'],
  }),
}

/** The export of a batch, a file that the server streams: `GET`, with `format` and, for some rows only, `state`. */
export const BATCH_EXPORT_FORMATS = ['csv', 'xlsx', 'jsonl'] as const
export const batchExportPath = (
  batch_id: string,
  format: (typeof BATCH_EXPORT_FORMATS)[number],
  state?: BatchRowState,
): string => `/api/batches/${encodeURIComponent(batch_id)}/export?format=${format}${state ? `&state=${state}` : ''}`
