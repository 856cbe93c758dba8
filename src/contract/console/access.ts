import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ROLES } from '../permissions.ts'

/** Access: sessions, accounts, people, audit log. Times are ISO 8601 with zone. */

export const PASSWORD_LENGTH_CHARS = { min: 12, max: 128 }

/**
 * Maximum lifetime of an access token in days. `external`: of a person who signs in at a provider or through a proxy.
 */
export const MAX_TOKEN_DAYS = { local: 365, external: 30 }
/** Minutes after signing in during which a person without a password may create a token. */
export const FRESH_SIGN_IN_MINUTES = 10

const role = z.enum(ROLES)

export const Person = z.object({
  id: z.string(),
  name: z.string(),
  role,
  /** The `user` string that this person's runs carry unless changed. */
  default_user: z.string(),
})
export type Person = z.output<typeof Person>

export const Session = z.object({
  person: Person,
  expires_at: z.string(),
  version: z.string(),
  /** True after signing in by link: the person has to choose a password first. */
  needs_account: z.boolean(),
  /** True if the person can sign in again without a link. */
  has_account: z.boolean(),
})
export type Session = z.output<typeof Session>

/**
 * Why the OpenID provider ended a session: it signed the person out, no longer renews the session, or changed the
 * person's role.
 */
export const SESSION_END_REASONS = ['provider', 'role'] as const
export type SessionEndReason = (typeof SESSION_END_REASONS)[number]

/**
 * The available ways to sign in. `provider`: the name of the OpenID provider, null if none is configured; `proxy`:
 * the name that the trusted proxy reports, null without one; `ended`: why the provider ended the session of this
 * browser, null if it did not.
 */
export const SignInMethods = z.object({
  password: z.boolean(),
  provider: z.string().nullable(),
  proxy: z.string().nullable(),
  ended: z.enum(SESSION_END_REASONS).nullable(),
})

/** Why a sign-in at a provider failed; the sign-in page gets it as `?refused=`. */
export const SIGN_IN_ERROR_CODES = [
  'unreachable',
  'cancelled',
  'late',
  'answer',
  'role',
  'disabled',
  'setup',
  'busy',
] as const
export type SignInErrorCode = (typeof SIGN_IN_ERROR_CODES)[number]

/** Begins a sign-in at the provider; `next` is the page to go to afterwards. */
export const OIDC_SIGN_IN_PATH = '/api/session/oidc'

const password = z.string().max(1024)
const noKey = { key: 'none' } as const

export const accessEndpoints = {
  session: endpoint({
    ...noKey,
    method: 'GET',
    path: '/api/session',
    permission: 'read',
    reply: Session,
    tags: ['session'],
  }),
  readSignInMethods: endpoint({
    ...noKey,
    method: 'GET',
    path: '/api/session/methods',
    permission: 'open',
    reply: SignInMethods,
  }),
  /** By a token (of a link, or `SETUP_TOKEN`), by name and password, or as the user named by a trusted proxy. */
  signIn: endpoint({
    ...noKey,
    method: 'POST',
    path: '/api/session',
    permission: 'open',
    body: z.union([
      z.strictObject({ token: z.string().min(1).max(512) }),
      z.strictObject({ name: z.string().min(1).max(255), password: password.min(1) }),
      z.strictObject({ proxy: z.literal(true) }),
    ]),
    reply: Session,
    invalidates: ['session'],
  }),
  signOut: endpoint({
    ...noKey,
    method: 'DELETE',
    path: '/api/session',
    permission: 'read',
    /** `provider_url`: where the browser signs out at the OpenID provider; null if nothing is to be done there. */
    reply: z.object({ signed_out: z.boolean(), provider_url: z.string().nullable() }),
    invalidates: ['session'],
  }),
}
