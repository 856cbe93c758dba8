import { z } from 'zod'
import { DialectOverride, WorkspaceDialect } from './dialect.ts'
import { endpoint, KEY_KINDS } from '../endpoint.ts'
import { Problem } from '../problem.ts'

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
  /** When a platform's answer last held this key, which was removed from it; null once the key is replaced. */
  exposed_at: z.string().nullable().default(null),
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
  dialect: WorkspaceDialect.default({ chosen: {}, found: {}, version: null }),
  keys: z.array(Key),
})
export type Workspace = z.output<typeof Workspace>

export const WorkspaceInput = z.strictObject({
  name: z.string().trim().min(1).max(80),
  base_url: z.string().trim().min(1).max(2048),
})
/** Visible ASCII without blanks at the ends, so that it is safe in a header. */
const platformKeyValue = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^\S+$/, { error: 'must be one key: blanks and line breaks are no part of a key' })
  .regex(/^[\x21-\x7e]+$/, { error: 'must be visible ASCII' })
export const KeyInput = z.strictObject({
  kind: z.enum(KEY_KINDS),
  label: z.string().trim().min(1).max(80),
  key: platformKeyValue,
})

/** What harmless reads tell of a key that is not kept yet. */
export const DetectedKey = z.object({
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
export type DetectedKey = z.output<typeof DetectedKey>

export const PlatformDetectionRequest = z.strictObject({
  base_url: z.string().trim().min(1).max(2048),
  keys: z.array(platformKeyValue).max(20),
})

export const KeyUpdate = z.strictObject({
  label: z.string().trim().min(1).max(80).optional(),
  key: platformKeyValue.optional(),
})

const IdReply = z.object({ id: z.string() })

/** Workspaces and their keys. */
export const workspaceEndpoints = {
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
    tags: ['workspaces'],
  }),
  /** Finds out, by harmless reads, which address the platform answers under and what each key is. Nothing is kept. */
  detectPlatform: endpoint({
    method: 'POST',
    path: '/api/platform-detection',
    key: 'none',
    permission: 'manage',
    body: PlatformDetectionRequest,
    reply: z.object({
      /** The address mended: with the path under which the platform answers, without a slash at the end. */
      base_url: z.string(),
      version: z.string().nullable(),
      problem: Problem.nullable(),
      keys: z.array(DetectedKey),
    }),
  }),
  /** Makes a new master key, seals every key with it, and forgets the one before. */
  rotateMasterKey: endpoint({
    method: 'POST',
    path: '/api/vault/renew',
    key: 'none',
    permission: 'manage',
    reply: z.object({ sealed: z.number() }),
    invalidates: ['workspaces'],
  }),
  createWorkspace: endpoint({
    method: 'POST',
    path: '/api/workspaces',
    key: 'none',
    permission: 'manage',
    body: WorkspaceInput,
    reply: Workspace,
    invalidates: ['workspaces'],
  }),
  updateWorkspace: endpoint({
    method: 'PATCH',
    path: '/api/workspaces/:workspace_id',
    key: 'none',
    permission: 'manage',
    body: WorkspaceInput.extend({ dialect: DialectOverride }).partial(),
    reply: Workspace,
    invalidates: ['workspaces'],
  }),
  deleteWorkspace: endpoint({
    method: 'DELETE',
    path: '/api/workspaces/:workspace_id',
    key: 'none',
    permission: 'manage',
    reply: IdReply,
    invalidates: ['workspaces'],
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/keys',
    key: 'none',
    permission: 'manage',
    body: KeyInput,
    reply: Key,
    invalidates: ['workspaces'],
  }),
  updateKey: endpoint({
    method: 'PATCH',
    path: '/api/workspaces/:workspace_id/keys/:key_id',
    key: 'none',
    permission: 'manage',
    body: KeyUpdate,
    reply: Key,
    invalidates: ['workspaces'],
  }),
  /** Asks the platform anew, by harmless reads, what it offers this key. */
  probeKeyCapabilities: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/keys/:key_id/probe',
    key: 'none',
    permission: 'run',
    reply: Key,
    invalidates: ['workspaces'],
  }),
  deleteKey: endpoint({
    method: 'DELETE',
    path: '/api/workspaces/:workspace_id/keys/:key_id',
    key: 'none',
    permission: 'manage',
    reply: IdReply,
    invalidates: ['workspaces'],
  }),
}
