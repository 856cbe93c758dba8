import { z } from 'zod'
import { MAX_TOKEN_DAYS, Person, Session } from './access.ts'
import { endpoint, Id, IsoTime } from '../endpoint.ts'
import { ROLES } from '../permissions.ts'
import * as shape from '../platform/schemas.ts'

const role = z.enum(ROLES)
const password = z.string().max(1024)
const noKey = { key: 'none' } as const
const IdReply = z.object({ id: z.string() })

/** A session of a browser or script. */
export const OpenSession = z.object({
  id: z.string(),
  via: z.string(),
  address: z.string().nullable(),
  /** The browser's User-Agent. */
  agent: z.string().nullable(),
  created_at: z.string(),
  seen_at: z.string(),
  expires_at: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
})
export type OpenSession = z.output<typeof OpenSession>

/** An access token of a script; its value is returned once, on creation. */
export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  /** Its last four characters. */
  hint: z.string(),
  role,
  created_at: z.string(),
  expires_at: z.string(),
  used_at: z.string().nullable(),
})
export type AccessToken = z.output<typeof AccessToken>

export const Account = z.object({
  person: Person,
  has_password: z.boolean(),
  /** True for a person who signs in at a provider or through a proxy and has no password here. */
  is_external: z.boolean(),
  /** True while creating a token requires a fresh sign-in: the person has no password, and the session is too old. */
  needs_fresh_sign_in: z.boolean(),
  max_token_days: z.number(),
  sessions: z.array(OpenSession),
  tokens: z.array(AccessToken),
})
export type Account = z.output<typeof Account>

/** A workspace, or one key of it. */
export const Grant = z.strictObject({ workspace: Id, key: Id.nullable() })
export type Grant = z.output<typeof Grant>

/**
 * A person as admins see them. Grants restrict a person to what they name; without grants, all workspaces are visible.
 */
export const Member = Person.extend({
  has_account: z.boolean(),
  has_password: z.boolean(),
  narrowed: z.boolean(),
  grants: z.array(Grant),
  sessions: z.number(),
  tokens: z.number(),
  /** Number of replies to this person's calls that contained the key they were sent with. */
  key_exposures: z.number().default(0),
  /** When the invitation expires; null if there is none. */
  invited_until: z.string().nullable(),
  disabled_at: z.string().nullable(),
  seen_at: z.string().nullable(),
  created_at: z.string(),
})
export type Member = z.output<typeof Member>

/** An audit log entry. `detail` names the subject, in a form that depends on the action. */
export const AuditEvent = z.object({
  seq: z.number(),
  at: z.string(),
  action: z.string(),
  person: z.string().nullable(),
  workspace: z.string().nullable(),
  about: z.string().nullable(),
  label: z.string().nullable(),
  detail: z.unknown(),
  address: z.string().nullable(),
  hash: z.string(),
})
export type AuditEvent = z.output<typeof AuditEvent>

/** Letters, digits and the characters of names and addresses; no look-alikes. */
const personName = z
  .string()
  .trim()
  .min(1, { error: 'is required' })
  .max(80)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+'-]*$/u, {
    error: 'may hold letters, digits, blanks and any of . _ @ + - ’',
  })
export const peopleEndpoints = {
  readAccount: endpoint({
    ...noKey,
    method: 'GET',
    path: '/api/account',
    permission: 'read',
    reply: Account,
    tags: ['session'],
  }),
  updateAccount: endpoint({
    ...noKey,
    method: 'PATCH',
    path: '/api/account',
    permission: 'read',
    body: z.strictObject({ default_user: z.string().trim().min(1).max(255) }),
    reply: Person,
    invalidates: ['session'],
  }),
  /**
   * `old` is required if the person has a password; all other sessions end, and with `revoke_tokens` all access tokens.
   * The first call may set the name as well.
   */
  setPassword: endpoint({
    ...noKey,
    method: 'PUT',
    path: '/api/account/password',
    permission: 'read',
    body: z.strictObject({
      old: password.optional(),
      password,
      name: personName.optional(),
      revoke_tokens: z.boolean().default(true),
    }),
    reply: Session,
    invalidates: ['session', 'people'],
  }),
  endSession: endpoint({
    ...noKey,
    method: 'DELETE',
    path: '/api/account/sessions/:session_id',
    permission: 'read',
    reply: IdReply,
    invalidates: ['session'],
  }),
  /** By a session only. `password` is the person's current one; a person without one must have signed in recently. */
  createToken: endpoint({
    ...noKey,
    method: 'POST',
    path: '/api/account/tokens',
    permission: 'read',
    body: z.strictObject({
      name: z.string().trim().min(1).max(80),
      role,
      days: z.number().int().min(1).max(MAX_TOKEN_DAYS.local),
      password: password.optional(),
    }),
    reply: AccessToken.extend({ token: z.string() }),
    invalidates: ['session', 'people'],
  }),
  deleteToken: endpoint({
    ...noKey,
    method: 'DELETE',
    path: '/api/account/tokens/:token_id',
    permission: 'read',
    reply: IdReply,
    invalidates: ['session', 'people'],
  }),
  listPeople: endpoint({
    ...noKey,
    method: 'GET',
    path: '/api/people',
    permission: 'manage',
    reply: z.object({ data: z.array(Member), total: z.number() }),
    tags: ['people'],
  }),
  /**
   * `link` is the token of a one-time link, returned once. By a session only. With `narrowed` the person sees what the grants
   * name, from the first sign-in on.
   */
  invitePerson: endpoint({
    ...noKey,
    method: 'POST',
    path: '/api/people',
    permission: 'manage',
    body: z.strictObject({
      name: personName,
      role,
      narrowed: z.boolean().default(false),
      grants: z.array(Grant).max(200).default([]),
    }),
    reply: Member.extend({ link: z.string() }),
    invalidates: ['people', 'audit'],
  }),
  /** By a session only, except for disabling. */
  updatePerson: endpoint({
    ...noKey,
    method: 'PATCH',
    path: '/api/people/:person_id',
    permission: 'manage',
    body: z.strictObject({
      role: role.optional(),
      disabled: z.boolean().optional(),
      narrowed: z.boolean().optional(),
      grants: z.array(Grant).max(200).optional(),
    }),
    reply: Member,
    invalidates: ['people', 'audit', 'session'],
  }),
  /**
   * A new one-time link, for another person who has lost their password. Replaces the previous link. By a session only.
   */
  createPersonLink: endpoint({
    ...noKey,
    method: 'POST',
    path: '/api/people/:person_id/link',
    permission: 'manage',
    reply: z.object({ id: z.string(), link: z.string() }),
    invalidates: ['people', 'audit'],
  }),
  /** Ends all sessions and revokes all access tokens of the person. */
  signOutPerson: endpoint({
    ...noKey,
    method: 'DELETE',
    path: '/api/people/:person_id/sessions',
    permission: 'manage',
    reply: IdReply,
    invalidates: ['people', 'audit', 'session'],
  }),
  /** Newest first; `before` is a `seq`. `action` is an action or a prefix (`person.`). */
  listAudit: endpoint({
    ...noKey,
    method: 'GET',
    path: '/api/audit',
    permission: 'manage',
    query: z.strictObject({
      action: z.string().max(80).optional(),
      person: z.string().max(255).optional(),
      about: z.string().max(255).optional(),
      from: IsoTime.optional(),
      to: IsoTime.optional(),
      before: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
      limit: shape.intParam(1, 200).default(50),
    }),
    reply: z.object({ data: z.array(AuditEvent), next: z.string().nullable() }),
    tags: ['audit'],
  }),
}
