import { z } from 'zod'
import { endpoint, Id } from './endpoint.ts'
import { Problem } from './problem.ts'
import * as shape from './shapes.ts'

/**
 * Work made of rows that the server does by itself, one after another or some at once: it needs no browser, and goes on
 * after a restart. Each row is one call in the ledger, under an id that is written down before anything is sent.
 */
export const BATCH_KINDS = ['run', 'annotations'] as const
export type BatchKind = (typeof BATCH_KINDS)[number]
/** `filling` while its rows come in, `ended` when none waits any more. */
export const BATCH_STATES = ['filling', 'running', 'paused', 'ended'] as const
export type BatchState = (typeof BATCH_STATES)[number]
/**
 * What became of a row. `unknown`: its request may have reached the platform and nobody can say what came of it; it is not
 * sent again unless somebody asks for that.
 */
export const ROW_STATES = ['waiting', 'running', 'succeeded', 'failed', 'stopped', 'unknown'] as const
export type RowState = (typeof ROW_STATES)[number]
/** Why a batch stands still. `no_access`: the person who started it may no longer run it; `problem` says why. */
export const PAUSES = [
  'not_started',
  'dry_run',
  'person',
  'no_access',
  'row_cap',
  'token_cap',
  'no_tokens',
  'refused',
] as const
export type Pause = (typeof PAUSES)[number]

export const ROWS_AT_MOST = 100_000
/** Rows of one request that brings rows, and bytes of its JSON. */
export const PIECE = { rows: 500, bytes: 512 * 1024 }
/** Characters of one row's input as JSON. */
export const ROW_LENGTH = 400_000

/** How fast a batch goes, and where it stops by itself. Null: no such bound. */
const bounds = {
  at_once: z.number().int().min(1).max(50),
  per_minute: z.number().int().min(1).max(6000).nullable(),
  /** The batch pauses when so many rows have been sent. */
  max_rows: z.number().int().min(1).max(ROWS_AT_MOST).nullable(),
  /** It pauses before a row that would take it over so many tokens, by what its rows have taken so far. */
  max_tokens: z.number().int().min(1).max(1_000_000_000).nullable(),
}
export const Bounds = z.strictObject(bounds)
export type Bounds = z.output<typeof Bounds>

/** What rows that are runs have in common. */
export const RunSettings = z.strictObject({ user: shape.User, response_mode: shape.ResponseMode.default('streaming') })

/** Files beside one row's inputs. */
const FILES_AT_MOST = 100

/** What one row sends, and what else stood in its line (the columns that the app does not ask for). */
export const RowInput = z.strictObject({
  inputs: shape.object,
  /** `files` of the run's request. */
  files: z.array(shape.FileInput).max(FILES_AT_MOST).optional(),
  beside: z.record(z.string(), z.string()).default({}),
})
export type RowInput = z.output<typeof RowInput>

export const Batch = z.object({
  id: z.string(),
  kind: z.enum(BATCH_KINDS),
  state: z.enum(BATCH_STATES),
  pause: z.enum(PAUSES).nullable(),
  /** What the platform (or the console) said when it paused by itself, or while it waits. */
  problem: Problem.nullable(),
  /** Until then no row is sent, because the platform asked for it; null where it does not wait. */
  waits_until: z.string().nullable(),
  workspace: z.string(),
  key: z.string(),
  entry: z.enum(['completion.send', 'workflows.run', 'annotations.create']),
  name: z.string(),
  /** Of runs; null for annotations, which have none. */
  settings: RunSettings.nullable(),
  bounds: Bounds,
  person: z.string().nullable(),
  total: z.number(),
  counts: z.record(z.enum(ROW_STATES), z.number()),
  /** Of all rows that ended; null where the platform gave none. `tokens_rows` and `rows` say how many rows gave any. */
  tokens: z.number().nullable(),
  tokens_rows: z.number(),
  prices: z.array(z.object({ currency: z.string().nullable(), total: z.string(), rows: z.number() })),
  /** Milliseconds that a row took, of those that succeeded, on average. */
  row_ms: z.number().nullable(),
  created_at: z.string(),
  began_at: z.string().nullable(),
  ended_at: z.string().nullable(),
})
export type Batch = z.output<typeof Batch>

export const BatchRow = z.object({
  number: z.number(),
  state: z.enum(ROW_STATES),
  /** The words and figures of its inputs, cut at 200 characters; all of it is in its run and in the export. */
  title: z.string(),
  /** The run that the row became, the last one where it was tried again. */
  run: z.string().nullable(),
  attempts: z.number(),
  problem: Problem.nullable(),
  /** The beginning of what came, as text. */
  result: z.string().nullable(),
  began_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  price: z.string().nullable(),
  currency: z.string().nullable(),
})
export type BatchRow = z.output<typeof BatchRow>

const name = z.string().trim().min(1).max(120)

export const batches = {
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
      page: shape.page,
      limit: shape.limit,
    }),
    reply: z.object({
      data: z.array(Batch),
      total: z.number(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
    }),
    shows: ['batches'],
  }),
  readBatch: endpoint({
    method: 'GET',
    path: '/api/batches/:batch_id',
    key: 'none',
    permission: 'read',
    reply: Batch,
    shows: ['batches'],
  }),
  /** Makes one without rows; they come in pieces. The same `id` again gives the batch that is there. */
  createBatch: endpoint({
    method: 'POST',
    path: '/api/batches',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      id: Id.optional(),
      kind: z.enum(BATCH_KINDS).default('run'),
      /** Of a completion or a workflow; for annotations of a chat or a completion. */
      key: Id,
      name,
      total: z.number().int().min(1).max(ROWS_AT_MOST),
      /** Runs need them. */
      settings: RunSettings.nullable().default(null),
      at_once: bounds.at_once.default(4),
      per_minute: bounds.per_minute.default(null),
      max_rows: bounds.max_rows.default(null),
      max_tokens: bounds.max_tokens.default(null),
    }),
    reply: Batch,
    touches: ['batches'],
  }),
  /** Rows from number `first` on (the first row is 1). Rows that are there already stay as they are. */
  addBatchRows: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/rows',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      first: z.number().int().min(1).max(ROWS_AT_MOST),
      rows: z.array(RowInput).min(1).max(PIECE.rows),
    }),
    reply: z.object({ id: z.string(), missing: z.number() }),
    touches: ['batches'],
  }),
  updateBatch: endpoint({
    method: 'PATCH',
    path: '/api/batches/:batch_id',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ name: name.optional(), ...Bounds.partial().shape }),
    reply: Batch,
    touches: ['batches'],
  }),
  /** Begins, or goes on after a pause; the bounds may be set with it. `only`: it pauses after so many more rows. */
  startBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/start',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ ...Bounds.partial().shape, only: z.number().int().min(1).max(ROWS_AT_MOST).optional() }),
    reply: Batch,
    touches: ['batches'],
  }),
  /** No more rows are sent; those under way are read to their end. */
  pauseBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/pause',
    key: 'none',
    permission: 'run',
    reply: Batch,
    touches: ['batches'],
  }),
  /** Has the rows of these states, or one of them, sent again. */
  retryBatch: endpoint({
    method: 'POST',
    path: '/api/batches/:batch_id/retry',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      states: z.array(z.enum(['failed', 'stopped', 'unknown'])).min(1),
      number: z.number().int().min(1).max(ROWS_AT_MOST).optional(),
    }),
    reply: Batch,
    touches: ['batches'],
  }),
  /** Its runs stay in the ledger. Refused while rows are under way. */
  deleteBatch: endpoint({
    method: 'DELETE',
    path: '/api/batches/:batch_id',
    key: 'none',
    permission: 'run',
    reply: z.object({ id: z.string() }),
    touches: ['batches'],
  }),
  /** By number. */
  listBatchRows: endpoint({
    method: 'GET',
    path: '/api/batches/:batch_id/rows',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      state: z.enum(ROW_STATES).optional(),
      page: shape.page,
      limit: shape.count(1, 200).default(100),
    }),
    reply: z.object({
      data: z.array(BatchRow),
      total: z.number(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
    }),
    shows: ['batches'],
  }),
}

/** The export of a batch, a file that the server streams: `GET`, with `format` and, for some rows only, `state`. */
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const
export const exportPath = (batch_id: string, format: (typeof EXPORT_FORMATS)[number], state?: RowState): string =>
  `/api/batches/${encodeURIComponent(batch_id)}/export?format=${format}${state ? `&state=${state}` : ''}`
