import { z } from 'zod'
import { DialectChoice, Speech } from './dialect.ts'
import { figures } from './figures.ts'
import { endpoint, Id, KEY_KINDS, THING_KINDS } from './endpoint.ts'
import { batches } from './batches.ts'
import { calls } from './calls.ts'
import { drifts } from './drifts.ts'
import { kept } from './kept.ts'
import { review } from './review.ts'
import { Problem } from './problem.ts'
import { Frame, Run, RUN_STATES } from './runs.ts'
import { retention } from './retention.ts'
import * as shape from './shapes.ts'
import { telling } from './telling.ts'
import { things } from './things.ts'

/** The console's own endpoints. Times are ISO 8601 with zone, durations milliseconds. */

export const Person = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(['viewer', 'operator', 'admin']),
  /** The `user` string that this person's runs carry unless changed. */
  default_user: z.string(),
})
export type Person = z.output<typeof Person>

export const Session = z.object({
  person: Person,
  expires_at: z.string(),
  /** Facts that the shell shows: the console's version and where the built-in platform listens, if it runs. */
  version: z.string(),
})
export type Session = z.output<typeof Session>

/** A key as anybody may see it: never its value. `hint` is its last four characters, if it is long enough to spare them. */
export const Key = z.object({
  id: z.string(),
  kind: z.enum(KEY_KINDS),
  label: z.string(),
  hint: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  last_ok_at: z.string().nullable(),
  last_problem: Problem.nullable(),
  last_problem_at: z.string().nullable(),
  /** Milliseconds until the platform's last answer to this key began, as far as they were noted. */
  latency_ms: z.number().nullable().default(null),
  /** False where the key has to be entered again before it can be used. */
  usable: z.boolean().default(true),
  /** Adjacent entries of the contract (`listConversations`) that the platform behind this key has been seen to answer. */
  offers: z.array(z.string()),
})
export type Key = z.output<typeof Key>

export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  builtin: z.boolean(),
  created_at: z.string(),
  dialect: Speech.default({ chosen: {}, found: {}, version: null }),
  keys: z.array(Key),
})
export type Workspace = z.output<typeof Workspace>

export const WorkspaceWrite = z.strictObject({
  name: z.string().trim().min(1).max(80),
  base_url: z.string().trim().min(1).max(2048),
})
/** Visible ASCII without blanks at the ends, so that it is safe in a header. */
const secret = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^\S+$/, { error: 'must be one key: blanks and line breaks are no part of a key' })
  .regex(/^[\x21-\x7e]+$/, { error: 'must be visible ASCII' })
export const KeyWrite = z.strictObject({
  kind: z.enum(KEY_KINDS),
  label: z.string().trim().min(1).max(80),
  key: secret,
})

/** What harmless reads tell of a key that is not kept yet. */
export const KeyFound = z.object({
  /** Null where the reads do not tell. */
  kind: z.enum(KEY_KINDS).nullable(),
  /** Kinds that the platform's answers do not rule out, the likeliest first. */
  may_be: z.array(z.enum(KEY_KINDS)),
  /** What the platform calls the app. */
  name: z.string().nullable(),
  /** Milliseconds until the first answer began. */
  latency_ms: z.number().nullable(),
  problem: Problem.nullable(),
})
export type KeyFound = z.output<typeof KeyFound>

export const Inquiry = z.strictObject({ base_url: z.string().trim().min(1).max(2048), keys: z.array(secret).max(20) })

export const KeyUpdate = z.strictObject({ label: z.string().trim().min(1).max(80).optional(), key: secret.optional() })

export const Thing = z.object({
  kind: z.enum(THING_KINDS),
  id: z.string(),
  workspace: z.string(),
  label: z.string().nullable(),
  parent: z.string().nullable(),
  first_seen: z.string(),
  last_seen: z.string(),
  /** The last record that the platform sent of it, or null when it was only named. */
  payload: z.unknown(),
})
export type Thing = z.output<typeof Thing>

const paged = { page: shape.page, limit: shape.limit }
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), total: z.number() })
const PagedList = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), total: z.number(), page: z.number(), limit: z.number(), has_more: z.boolean() })
const Gone = z.object({ id: z.string() })

export const console_ = {
  session: endpoint({
    method: 'GET',
    path: '/api/session',
    key: 'none',
    permission: 'read',
    reply: Session,
    shows: ['session'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/session',
    key: 'none',
    permission: 'open',
    body: z.strictObject({ token: z.string().min(1).max(512) }),
    reply: Session,
    touches: ['session'],
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/api/session',
    key: 'none',
    permission: 'read',
    reply: z.object({ signed_out: z.boolean() }),
    touches: ['session'],
  }),
  listWorkspaces: endpoint({
    method: 'GET',
    path: '/api/workspaces',
    key: 'none',
    permission: 'read',
    reply: z.object({
      data: z.array(Workspace),
      total: z.number(),
      /** Why nothing can be changed, where the master key does not open what is sealed. */
      read_only: z.string().nullable().default(null),
      /** Where the master key comes from: `file` can be renewed here, `environment` at a start. */
      master: z.enum(['file', 'environment']).default('file'),
    }),
    shows: ['workspaces'],
  }),
  /** Finds out, by harmless reads, which address the platform answers under and what each key is. Nothing is kept. */
  inquire: endpoint({
    method: 'POST',
    path: '/api/inquiry',
    key: 'none',
    permission: 'manage',
    body: Inquiry,
    reply: z.object({
      /** The address mended: with the path under which the platform answers, without a slash at the end. */
      base_url: z.string(),
      version: z.string().nullable(),
      problem: Problem.nullable(),
      keys: z.array(KeyFound),
    }),
  }),
  /** Makes a new master key, seals every key with it, and forgets the one before. */
  renewMaster: endpoint({
    method: 'POST',
    path: '/api/vault/renew',
    key: 'none',
    permission: 'manage',
    reply: z.object({ sealed: z.number() }),
    touches: ['workspaces'],
  }),
  createWorkspace: endpoint({
    method: 'POST',
    path: '/api/workspaces',
    key: 'none',
    permission: 'manage',
    body: WorkspaceWrite,
    reply: Workspace,
    touches: ['workspaces'],
  }),
  updateWorkspace: endpoint({
    method: 'PATCH',
    path: '/api/workspaces/:workspace_id',
    key: 'none',
    permission: 'manage',
    body: WorkspaceWrite.extend({ dialect: DialectChoice }).partial(),
    reply: Workspace,
    touches: ['workspaces'],
  }),
  deleteWorkspace: endpoint({
    method: 'DELETE',
    path: '/api/workspaces/:workspace_id',
    key: 'none',
    permission: 'manage',
    reply: Gone,
    touches: ['workspaces'],
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/keys',
    key: 'none',
    permission: 'manage',
    body: KeyWrite,
    reply: Key,
    touches: ['workspaces'],
  }),
  updateKey: endpoint({
    method: 'PATCH',
    path: '/api/workspaces/:workspace_id/keys/:key_id',
    key: 'none',
    permission: 'manage',
    body: KeyUpdate,
    reply: Key,
    touches: ['workspaces'],
  }),
  /** Asks the platform anew, by harmless reads, what it offers this key. */
  surveyKey: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/keys/:key_id/survey',
    key: 'none',
    permission: 'run',
    reply: Key,
    touches: ['workspaces'],
  }),
  deleteKey: endpoint({
    method: 'DELETE',
    path: '/api/workspaces/:workspace_id/keys/:key_id',
    key: 'none',
    permission: 'manage',
    reply: Gone,
    touches: ['workspaces'],
  }),
  listThings: endpoint({
    method: 'GET',
    path: '/api/things',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      kind: z.enum(THING_KINDS).optional(),
      workspace: Id.optional(),
      parent: z.string().max(255).optional(),
      id: z.string().max(255).optional(),
      q: z.string().max(255).optional(),
      ...paged,
    }),
    reply: PagedList(Thing),
    shows: ['things', 'datasets', 'documents', 'segments', 'child_chunks', 'conversations', 'annotations'],
  }),
  adoptThing: endpoint({
    method: 'POST',
    path: '/api/things',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({
      kind: z.enum(THING_KINDS),
      id: Id,
      workspace: Id,
      label: z.string().trim().min(1).max(255).optional(),
      parent: z.string().max(255).optional(),
    }),
    reply: Thing,
    touches: ['things'],
  }),
  listRuns: endpoint({
    method: 'GET',
    path: '/api/runs',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id.optional(),
      key: Id.optional(),
      entry: z.enum(['chat.send', 'completion.send', 'workflows.run']).optional(),
      status: z.enum(RUN_STATES).optional(),
      conversation_id: z.string().max(255).optional(),
      /** An id that the run has named: its workflow_run_id, message or conversation. */
      names: z.string().max(255).optional(),
      parent: Id.optional(),
      /** The name of who began it. */
      person: z.string().max(255).optional(),
      /** The platform's end user. */
      user: z.string().max(255).optional(),
      /** Moments in ISO 8601; `from` is included, `to` is not. */
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
      /** Words of what was sent or of what came. */
      q: z.string().max(255).optional(),
      ...paged,
    }),
    reply: PagedList(Run),
    shows: ['runs'],
  }),
  readRun: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id',
    key: 'none',
    permission: 'read',
    reply: Run,
    shows: ['runs'],
  }),
  listFrames: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/frames',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      after: shape.count(0, 1_000_000_000).default(0),
      limit: shape.count(1, 5000).default(1000),
    }),
    reply: listOf(Frame),
  }),
  /** All turns of a conversation that this console saw, oldest first, each with its whole `answer`. */
  listTurns: endpoint({
    method: 'GET',
    path: '/api/conversations/:conversation_id/runs',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional(), limit: shape.count(1, 1000).default(500) }),
    reply: listOf(Run),
    shows: ['runs'],
  }),
  ...telling,
  ...calls,
  ...figures,
  ...drifts,
  ...kept,
  ...things,
  ...retention,
  ...batches,
  ...review,
}
