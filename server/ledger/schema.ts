import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, timestampColumn } from '../db/columns.ts'
import type { Run, RunGap, RunOriginKind, RunStatus } from '#contract/console/runs.ts'
import type { ResourceKind } from '#contract/endpoint.ts'
import type { Problem } from '#contract/problem.ts'

/**
 * Every call that changed something or made the platform generate: who, where, request and result. Reads leave no
 * row. JSON is stored as `json`, not `jsonb`: it must hold whatever the platform sends, including `\u0000`.
 */
export const calls = pgTable(
  'calls',
  {
    id: uuid().primaryKey(),
    entry: text().notNull(),
    status: text().notNull().$type<RunStatus>(),
    person_id: uuid(),
    workspace_id: uuid().notNull(),
    key_id: uuid().notNull(),
    params: json().$type<Record<string, string>>(),
    request: json(),
    request_hash: text(),
    response_mode: text().$type<Run['response_mode']>(),
    title: text().notNull().default(''),
    /** The reason that the caller gave. */
    note: text(),
    /**
     * Every id in the path, of created resources and of the resources that the call was made from, so that the calls
     * of a resource are found.
     */
    resource_ids: text().array(),
    /** Search text: the strings of the request and the reply, truncated. */
    search_text: text().notNull().default(''),
    end_user: text(),
    parent_id: uuid(),
    conversation_id: text(),
    message_id: text(),
    task_id: text(),
    workflow_run_id: text(),
    /** The version of the workflow that ran, and the one that the request asked for. */
    workflow_id: text(),
    pinned_workflow_id: text(),
    http_status: integer(),
    reply: json(),
    answer: json(),
    /** Ids in `body_pieces` of bodies that are too large for their column. */
    request_body_id: uuid(),
    reply_body_id: uuid(),
    answer_body_id: uuid(),
    problem: json().$type<Problem>(),
    frames: integer().notNull().default(0),
    bytes: bigint({ mode: 'number' }).notNull().default(0).$type<string>(),
    created_at: timestampColumn('created_at').notNull(),
    first_frame_ms: integer(),
    first_token_ms: integer(),
    duration_ms: integer(),
    total_tokens: integer(),
    total_price: text(),
    currency: text(),
    server_id: uuid(),
    /** The platform's release (`X-Version`) that answered a run. */
    platform_version: text(),
    /** Missed parts of a stream: `RunGap[]`. */
    gaps: json().$type<RunGap[]>(),
    /** Where a run was started (`RUN_ORIGINS`), and the batch or board; null for runs of releases that did not record it. */
    origin: text().$type<RunOriginKind>(),
    origin_id: text(),
    tags: text().array(),
    run_note: text(),
    /** The beginning of the failure's message: of the call, its stream or its workflow. */
    error_message: text(),
    /** The status that an earlier release stored, for a run that is interpreted differently now. */
    earlier_status: text().$type<RunStatus>(),
  },
  (table) => [
    // Read backwards, newest first. An index with `desc()` puts nulls last, so no ORDER BY ... DESC could use it.
    index('calls_by_time').on(table.created_at, table.id),
    index('calls_by_workspace').on(table.workspace_id, table.created_at, table.id),
    index('calls_by_key').on(table.key_id, table.created_at, table.id),
    index('calls_by_entry').on(table.workspace_id, table.entry, table.created_at, table.id),
    index('calls_by_status').on(table.workspace_id, table.status, table.created_at, table.id),
    index('calls_by_person').on(table.workspace_id, table.person_id, table.created_at, table.id),
    index('calls_by_conversation').on(table.conversation_id, table.created_at),
    // Contains all that the home page sums up, so that it need not read the calls.
    index('calls_by_stats')
      .on(
        table.created_at,
        table.workspace_id,
        table.key_id,
        table.status,
        table.duration_ms,
        table.first_token_ms,
        table.total_tokens,
        table.total_price,
        table.currency,
      )
      .where(sql`entry IN ('chat.send', 'completion.send', 'workflows.run')`),
    // Contains all that the list of versions sums up.
    index('calls_by_version')
      .on(table.key_id, table.workflow_id, table.created_at, table.status)
      .where(sql`workflow_id IS NOT NULL`),
    index('calls_live')
      .on(table.server_id)
      .where(sql`status IN ('created', 'dispatched', 'streaming')`),
    index('calls_paused')
      .on(table.created_at, table.id)
      .where(sql`status = 'paused'`),
    index('calls_by_origin')
      .on(table.workspace_id, table.origin, table.created_at, table.id)
      .where(sql`origin IS NOT NULL`),
    index('calls_by_tags')
      .using('gin', table.tags)
      .where(sql`tags IS NOT NULL`),
    index('calls_tagged')
      .on(table.workspace_id, table.created_at)
      .where(sql`tags IS NOT NULL`),
    index('calls_by_resource_ids').using('gin', table.resource_ids),
    index('calls_by_parent')
      .on(table.parent_id)
      .where(sql`parent_id IS NOT NULL`),
    index('calls_by_search_text').using('gin', sql`search_text gin_trgm_ops`),
  ],
)

/** Progress of recalculating the runs of earlier releases, for each version of the fold, and the server that does it. */
export const runRecalculations = pgTable('run_recalculations', {
  version: integer().primaryKey(),
  server_id: uuid().notNull(),
  /** The last call that was processed, in the order of their times. */
  created_at: timestampColumn('created_at').notNull(),
  call_id: uuid().notNull(),
  is_done: boolean().notNull().default(false),
})

/**
 * Large bodies of calls in pieces of JSON text, each compressed with zstd. A body without a last piece was
 * interrupted by a crash; one that its call does not name belongs to a failed attempt.
 */
export const bodyPieces = pgTable(
  'body_pieces',
  {
    call_id: uuid()
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    body_id: uuid().notNull(),
    /** From 0. */
    piece: integer().notNull(),
    is_last: boolean().notNull(),
    data: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.call_id, table.body_id, table.piece] })],
)

/**
 * What a paused run waits for (`WaitingRun.forms`), recorded once per pause, so that lists need not parse the answers
 * of runs. `frames` is the number of frames at the pause, `deadline` the earliest of its forms.
 */
export const pausedRuns = pgTable('paused_runs', {
  run_id: uuid()
    .primaryKey()
    .references(() => calls.id, { onDelete: 'cascade' }),
  frames: integer().notNull(),
  forms: json().notNull(),
  deadline: timestampColumn('deadline'),
})

/**
 * Answers to forms that the server sends at a set time. `claimed_at`: a server is sending it; what was sent is in
 * `calls`. `problem`: why it could not be sent.
 */
export const scheduledAnswers = pgTable(
  'scheduled_answers',
  {
    run_id: uuid()
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    form_id: text().notNull(),
    person_id: uuid(),
    inputs: json().notNull(),
    action: text().notNull(),
    send_at: timestampColumn('send_at').notNull(),
    claimed_at: timestampColumn('claimed_at'),
    problem: json(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.form_id] })],
)

/**
 * Files saved with a run: the bytes that the link of its answer returned (`KeptFile`). `url_hash` is the SHA-256 of
 * the URL in hexadecimal, since an index cannot hold a long URL.
 */
export const keptFiles = pgTable(
  'kept_files',
  {
    id: uuid().primaryKey(),
    run_id: uuid()
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    url_hash: text().notNull(),
    url: text().notNull(),
    name: text().notNull(),
    type: text().notNull(),
    bytes: integer().notNull(),
    data: bytea().notNull(),
    kept_at: timestampColumn('kept_at').notNull(),
    person_id: uuid(),
  },
  (table) => [uniqueIndex('kept_files_by_url').on(table.run_id, table.url_hash)],
)

/**
 * The journal of frames: one row per frame of a stream until it is sealed. `at`: milliseconds since the request was
 * sent; `block`: the text of the event; `raw`: its bytes where text cannot represent them (invalid UTF-8, or a NUL).
 */
export const frames = pgTable(
  'frames',
  {
    call_id: uuid().notNull(),
    seq: integer().notNull(),
    at: integer().notNull(),
    bytes: integer().notNull(),
    block: text().notNull(),
    raw: bytea(),
  },
  (table) => [primaryKey({ columns: [table.call_id, table.seq] })],
)

/**
 * Compressed frames (`frames/frameChunk.ts`) of an ended run, or the older ones of a long run. A frame is either in
 * `frames` or here.
 */
export const frameChunks = pgTable(
  'frame_chunks',
  {
    call_id: uuid().notNull(),
    first_seq: integer().notNull(),
    last_seq: integer().notNull(),
    first_at: integer().notNull(),
    last_at: integer().notNull(),
    bytes: integer().notNull(),
    data: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.call_id, table.first_seq] })],
)

/** Every resource that a reply or a frame named. `payload` is its last complete record. */
export const resources = pgTable(
  'resources',
  {
    workspace_id: uuid().notNull(),
    kind: text().notNull().$type<ResourceKind>(),
    id: text().notNull(),
    label: text(),
    parent: text(),
    payload: json(),
    first_seen: timestampColumn('first_seen').notNull(),
    last_seen: timestampColumn('last_seen').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.kind, table.id] }),
    index('resources_by_workspace').on(table.workspace_id, table.last_seen, table.id),
    index('resources_by_time').on(table.workspace_id, table.kind, table.last_seen, table.id),
    index('resources_by_parent').on(table.workspace_id, table.kind, table.parent, table.last_seen, table.id),
    // Ids are also searched by their beginning.
    index('resources_by_id').on(table.id.op('text_pattern_ops')),
    index('resources_by_label').using('gin', sql`label gin_trgm_ops`),
  ],
)

/** 2 GiB. */
const DEFAULT_KEEP_FILE_MEGABYTES = 2_147

/**
 * Retention limits of a workspace, the last counts of its stored data, and pending purges. Without a row nothing is
 * deleted. A deleted workspace keeps its row while it has calls.
 */
export const retention = pgTable('retention', {
  workspace_id: uuid().primaryKey(),
  keep_days: integer(),
  keep_megabytes: integer(),
  /** Further saved files are refused. */
  keep_file_megabytes: integer().notNull().default(DEFAULT_KEEP_FILE_MEGABYTES),
  /** Calls before this time are being deleted. */
  purge_before: timestampColumn('purge_before'),
  removed: bigint({ mode: 'number' }).notNull().default(0).$type<string>(),
  removed_at: timestampColumn('removed_at'),
  counted_at: timestampColumn('counted_at'),
  calls: bigint({ mode: 'number' }).$type<string>(),
  bytes: bigint({ mode: 'number' }).$type<string>(),
  /** The parts of `bytes` that are frames and saved files. */
  frame_bytes: bigint({ mode: 'number' }).$type<string>(),
  file_bytes: bigint({ mode: 'number' }).$type<string>(),
  oldest: timestampColumn('oldest'),
})

/**
 * Requests to erase the runs of an end user that started before a time. The retention job deletes a completed row, so
 * that neither a restart nor the deletion of the workspace ends it.
 */
export const erasures = pgTable(
  'erasures',
  {
    workspace_id: uuid().notNull(),
    end_user: text().notNull(),
    before: timestampColumn('before').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.end_user] })],
)
