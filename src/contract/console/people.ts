import { z } from 'zod'
import { AccessToken, Account, AuditEvent, Grant, MAX_TOKEN_DAYS, Member, Person, Session } from './access.ts'
import { endpoint } from '../endpoint.ts'
import { ROLES } from '../permissions.ts'
import * as shape from '../platform/schemas.ts'

/** Accounts, people and the audit log. */

const role = z.enum(ROLES)
const password = z.string().max(1024)
const noKey = { key: 'none' } as const
const IdReply = z.object({ id: z.string() })

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
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
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
