import { z } from 'zod'
import { WorkspaceDialect } from './dialect.ts'
import { endpoint, KEY_KINDS } from '../endpoint.ts'
import { Problem } from '../problem.ts'

/** What the last replies of the platform show about a key. `refused` is a 401; `untested` is a key without any reply. */
export const KEY_HEALTH_STATES = [
  'untested',
  'healthy',
  'unreachable',
  'refused',
  'wrong_kind',
  'app_unavailable',
] as const
export type KeyHealthState = (typeof KEY_HEALTH_STATES)[number]

/**
 * Whether a platform offers an operation to a key: `refused` and `broken` have the platform's message; `broken`: the
 * operation exists but fails in this release; `missing`: there is no such route.
 */
export const CAPABILITY_STATES = ['offered', 'refused', 'broken', 'missing'] as const
export type CapabilityState = (typeof CAPABILITY_STATES)[number]
export const Capability = z.object({
  state: z.enum(CAPABILITY_STATES),
  message: z.string().nullable(),
  status: z.number().nullable(),
  /** The operation from whose reply this state was inferred; null if the operation itself was answered. */
  assumed_from: z.string().nullable(),
  /** The platform's release at that time. */
  version: z.string().nullable(),
})
export type Capability = z.output<typeof Capability>

/** A key as anybody may see it: never its value. `hint` is its last four characters, if it is long enough. */
export const Key = z.object({
  id: z.string(),
  kind: z.enum(KEY_KINDS),
  label: z.string(),
  hint: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The mode that the platform reports for the key's app: `advanced-chat` for a chatflow. */
  mode: z.string().nullable().default(null),
  /** True once a reply of the platform has proved the kind; before that a person chose it. */
  kind_confirmed: z.boolean().default(false),
  health: z.enum(KEY_HEALTH_STATES).default('untested'),
  /** Since when the health is what it is. */
  health_since: z.string().nullable().default(null),
  last_ok_at: z.string().nullable(),
  last_problem: Problem.nullable(),
  last_problem_at: z.string().nullable(),
  /** Latency of the platform's last reply to this key in ms, if recorded. */
  latency_ms: z.number().nullable().default(null),
  /** Last time that a reply of the platform contained this key, which was redacted; null once the key is replaced. */
  exposed_at: z.string().nullable().default(null),
  /** False if the key must be entered again before it can be used. */
  usable: z.boolean().default(true),
  /**
   * Optional entries of the contract (`listConversations`) that the platform behind this key has answered. A list of
   * workspaces has only those that the reader may call.
   */
  offers: z.array(z.string()),
  /**
   * Known operations by name: `listConversations` for an optional one, `annotations.create` for one of the interface.
   * Others are unknown.
   */
  capabilities: z.record(z.string(), Capability).default({}),
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
  /** `keys`: the person's grants name single keys of it, and only those are listed. */
  access: z.enum(['all', 'keys']).default('all'),
})
export type Workspace = z.output<typeof Workspace>

export const workspaceEndpoints = {
  listWorkspaces: endpoint({
    method: 'GET',
    path: '/api/workspaces',
    key: 'none',
    permission: 'read',
    reply: z.object({
      data: z.array(Workspace),
      total: z.number(),
      /** Why keys are read-only: the master key does not decrypt the stored keys. */
      read_only: z.string().nullable().default(null),
      /** Source of the master key: `file` can be renewed here, `environment` only at a start. */
      master: z.enum(['file', 'environment']).default('file'),
    }),
    tags: ['workspaces'],
  }),
}
