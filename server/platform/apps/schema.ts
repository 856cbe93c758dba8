import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, timestampColumn } from '../../db/columns.ts'
import type { RetrieverResource } from '#contract/platform/schemas.ts'
import type { AnswerUsage } from '../model/answerUsage.ts'
import { platform } from '../schema.ts'
import type { ConversationVariableType, FormAction, FormField } from '../workflow/workflowGraph.ts'
import type { RecordedFile } from './files/fileRecord.ts'
import type { StoredRunState } from './graphRuns/runState.ts'

/** `metadata` of an answer, as sent in `message_end`. */
export interface AnswerMetadata {
  usage: AnswerUsage
  retriever_resources: RetrieverResource[]
  /** A model's reasoning by node; no application here shows it. */
  reasoning?: Record<string, string>
  /** The model that generated the answer, or `extractive`. */
  model: string
  annotation_reply?: { id: string; account: { id: string; name: string }; question: string; score: number }
}

/** A conversation of one end user with a chat application. `inputs` are those of its first message. */
export const conversations = platform.table(
  'conversations',
  {
    id: uuid().primaryKey(),
    app: text().notNull(),
    end_user: text().notNull(),
    name: text().notNull(),
    inputs: jsonb().$type<Record<string, unknown>>().notNull(),
    introduction: text(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('conversations_by_update').on(table.app, table.end_user, table.updated_at.desc(), table.id),
    index('conversations_by_creation').on(table.app, table.end_user, table.created_at.desc(), table.id),
  ],
)

/**
 * One question and its answer; a completion is a message without a conversation. `status` is `running` until it becomes
 * `normal`, `stopped` or `error`; that of a chatflow is `paused` while its run waits for a person.
 */
export const messages = platform.table(
  'messages',
  {
    id: uuid().primaryKey(),
    app: text().notNull(),
    conversation_id: uuid().references(() => conversations.id, { onDelete: 'cascade' }),
    parent_message_id: uuid(),
    task_id: uuid().notNull(),
    end_user: text().notNull(),
    query: text().notNull(),
    inputs: jsonb().$type<Record<string, unknown>>().notNull(),
    files: jsonb().$type<RecordedFile[]>().notNull(),
    answer: text().notNull().default(''),
    status: text().$type<'running' | 'paused' | 'normal' | 'stopped' | 'error'>().notNull(),
    error: text(),
    /** The run that wrote the answer of a chatflow. */
    workflow_run_id: uuid(),
    metadata: jsonb().$type<AnswerMetadata>(),
    feedback: text().$type<'like' | 'dislike'>(),
    feedback_content: text(),
    feedback_at: timestampColumn('feedback_at'),
    created_at: timestampColumn('created_at').notNull(),
    finished_at: timestampColumn('finished_at'),
  },
  (table) => [
    index('messages_by_conversation').on(table.conversation_id, table.created_at.desc(), table.id),
    index('messages_running')
      .on(table.id)
      .where(sql`status = 'running'`),
    index('messages_by_run')
      .on(table.workflow_run_id)
      .where(sql`workflow_run_id IS NOT NULL`),
  ],
)

/**
 * One run of a workflow application or chatflow; `inputs` are those of its form, without the `sys.` ones. `state`
 * belongs to a paused run, or to one that continues after a pause.
 */
export const workflowRuns = platform.table(
  'workflow_runs',
  {
    id: uuid().primaryKey(),
    app: text().notNull(),
    workflow_id: uuid().notNull(),
    version: text().notNull(),
    task_id: uuid().notNull(),
    end_user: text().notNull(),
    inputs: jsonb().$type<Record<string, unknown>>().notNull(),
    outputs: jsonb().$type<Record<string, unknown>>(),
    status: text().$type<'running' | 'paused' | 'succeeded' | 'failed' | 'stopped'>().notNull(),
    error: text(),
    state: jsonb().$type<StoredRunState>(),
    resumed_at: timestampColumn('resumed_at'),
    total_steps: integer().notNull().default(0),
    total_tokens: integer().notNull().default(0),
    elapsed_time: doublePrecision(),
    created_at: timestampColumn('created_at').notNull(),
    finished_at: timestampColumn('finished_at'),
  },
  (table) => [
    index('workflow_runs_by_time').on(table.app, table.created_at.desc(), table.id),
    index('workflow_runs_running')
      .on(table.id)
      .where(sql`status = 'running'`),
  ],
)

/**
 * A form that a paused run waits for. `status` is `waiting` until one answer, or the timeout, is accepted; then the
 * run continues. `token` is the permission to read and answer it.
 */
export const humanInputForms = platform.table(
  'human_input_forms',
  {
    id: uuid().primaryKey(),
    app: text().notNull(),
    workflow_run_id: uuid()
      .notNull()
      .references(() => workflowRuns.id, { onDelete: 'cascade' }),
    token: text().notNull(),
    node_id: text().notNull(),
    node_title: text().notNull(),
    form_content: text().notNull(),
    inputs: jsonb().$type<FormField[]>().notNull(),
    actions: jsonb().$type<FormAction[]>().notNull(),
    resolved_default_values: jsonb().$type<Record<string, string>>().notNull(),
    status: text().$type<'waiting' | 'submitted' | 'expired'>().notNull(),
    action: text(),
    values: jsonb().$type<Record<string, unknown>>(),
    submitted_by: text(),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
    closed_at: timestampColumn('closed_at'),
  },
  (table) => [
    uniqueIndex('human_input_forms_by_token').on(table.token),
    index('human_input_forms_by_run').on(table.workflow_run_id, table.created_at),
    index('human_input_forms_waiting')
      .on(table.expires_at)
      .where(sql`status = 'waiting'`),
  ],
)

/**
 * A variable of a conversation with a chatflow, which keeps its value between messages. The definition names them;
 * rows are created with the conversation.
 */
export const conversationVariables = platform.table(
  'conversation_variables',
  {
    id: uuid().primaryKey(),
    conversation_id: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    value_type: text().$type<ConversationVariableType>().notNull(),
    description: text().notNull(),
    value: jsonb().$type<unknown>(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [uniqueIndex('conversation_variables_by_name').on(table.conversation_id, table.name)],
)

/** A file that an end user uploaded for a run: its bytes, and the text of a document. */
export const uploadedFiles = platform.table(
  'files',
  {
    id: uuid().primaryKey(),
    app: text().notNull(),
    end_user: text().notNull(),
    name: text().notNull(),
    extension: text().notNull(),
    mime_type: text().notNull(),
    size: integer().notNull(),
    text: text(),
    /** The column is named after its first use. Null for documents that were uploaded before bytes were stored. */
    bytes: bytea('image'),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [index('files_by_user').on(table.app, table.end_user, table.created_at.desc())],
)

/** A question with its fixed answer. `vector` is the question's, by the named model. */
export const annotations = platform.table(
  'annotations',
  {
    id: uuid().primaryKey(),
    app: text().notNull(),
    question: text().notNull(),
    answer: text().notNull(),
    hit_count: integer().notNull().default(0),
    vector: real().array(),
    vector_model: text(),
    created_at: timestampColumn('created_at').notNull(),
    updated_at: timestampColumn('updated_at').notNull(),
  },
  (table) => [index('annotations_by_time').on(table.app, table.created_at.desc(), table.id)],
)

/** Annotation reply settings of an application: enabled, and the similarity threshold. */
export const annotationReplies = platform.table('annotation_replies', {
  app: text().primaryKey(),
  enabled: boolean().notNull(),
  score_threshold: doublePrecision().notNull(),
  embedding_provider_name: text(),
  embedding_model_name: text(),
  /** Incremented by every change of the application's annotations, to invalidate caches. */
  revision: integer().notNull().default(0),
})

/** A job that enables or disables annotation reply; unfinished jobs resume at the next start. */
export const annotationJobs = platform.table(
  'annotation_jobs',
  {
    app: text().notNull(),
    id: uuid().notNull(),
    action: text().$type<'enable' | 'disable'>().notNull(),
    status: text().$type<'waiting' | 'processing' | 'completed' | 'error'>().notNull(),
    error_msg: text().notNull().default(''),
    score_threshold: doublePrecision().notNull(),
    embedding_provider_name: text(),
    embedding_model_name: text(),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.app, table.id] })],
)
