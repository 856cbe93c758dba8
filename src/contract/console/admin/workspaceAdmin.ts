import { z } from 'zod'
import { endpoint, KEY_KINDS } from '../../endpoint.ts'
import { Problem } from '../../problem.ts'
import { DialectOverride } from '../dialect.ts'
import { Key, Workspace } from '../workspaces.ts'

export const WorkspaceInput = z.strictObject({
  name: z.string().trim().min(1).max(80),
  base_url: z.string().trim().min(1).max(2048),
})
/** Visible ASCII without leading or trailing blanks, so that it is safe in a header. */
const platformKeyValue = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^\S+$/, { error: 'must be one key: blanks and line breaks are no part of a key' })
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'must be visible ASCII without quotation marks and backslashes' })
export const KeyInput = z.strictObject({
  kind: z.enum(KEY_KINDS),
  label: z.string().trim().min(1).max(80),
  key: platformKeyValue,
})

/** Results of harmless reads with a key that is not stored yet. */
export const DetectedKey = z.object({
  /** Null if the reads do not show it. */
  kind: z.enum(KEY_KINDS).nullable(),
  /** Kinds that the platform's replies do not rule out, most likely first. */
  may_be: z.array(z.enum(KEY_KINDS)),
  /** Name of the app on the platform, and its mode. */
  name: z.string().nullable(),
  mode: z.string().nullable(),
  /** Latency of the first reply in ms. */
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

export const workspaceAdminEndpoints = {
  /** Detects, by harmless reads, the platform's base URL and the kind of each key. Stores nothing. */
  detectPlatform: endpoint({
    method: 'POST',
    path: '/api/platform-detection',
    key: 'none',
    permission: 'manage',
    body: PlatformDetectionRequest,
    reply: z.object({
      /** The corrected base URL: with the path under which the platform answers, without a trailing slash. */
      base_url: z.string(),
      version: z.string().nullable(),
      problem: Problem.nullable(),
      keys: z.array(DetectedKey),
    }),
  }),
  /** Creates a new master key, re-encrypts every key with it, and deletes the previous one. */
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
