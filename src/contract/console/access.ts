import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { ROLES } from '../permissions.ts'

/** Who may come in: sessions, accounts, people, the record of what was done. Times are ISO 8601 with zone. */

export const PASSWORD_LENGTH_CHARS = { min: 12, max: 128 }

/** Days that an access token may live. `external`: of a person who signs in at a provider or through a proxy. */
export const MAX_TOKEN_DAYS = { local: 365, external: 30 }
/** A person without a password creates a token within so many minutes of signing in. */
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
  /** The console's version. */
  version: z.string(),
  /** True when somebody came by a link and has to choose a password before anything else. */
  needs_account: z.boolean(),
  /** True when the person can come back without a link. */
  has_account: z.boolean(),
})
export type Session = z.output<typeof Session>

/**
 * How one may sign in here. `provider` is what the OpenID provider is called, null where none is set up; `proxy` whom the
 * proxy in front of the console says this is, null where none says so.
 */
export const SignInMethods = z.object({
  password: z.boolean(),
  provider: z.string().nullable(),
  proxy: z.string().nullable(),
})

/** Why a sign-in at a provider has come to nothing, as the sign-in page is told behind `?refused=`. */
export const SIGN_IN_ERROR_CODES = ['unreachable', 'cancelled', 'late', 'answer', 'role', 'disabled'] as const
export type SignInErrorCode = (typeof SIGN_IN_ERROR_CODES)[number]

/** Begins a sign-in at the provider; `next` is the page to go to afterwards. */
export const OIDC_SIGN_IN_PATH = '/api/session/oidc'

/** One browser or script that is signed in. */
export const OpenSession = z.object({
  id: z.string(),
  via: z.string(),
  address: z.string().nullable(),
  /** What the browser calls itself. */
  agent: z.string().nullable(),
  created_at: z.string(),
  seen_at: z.string(),
  expires_at: z.string(),
  /** True for the one that asks. */
  current: z.boolean(),
})
export type OpenSession = z.output<typeof OpenSession>

/** A token of a script; its value is told once, when it is made. */
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
  /** True for somebody who signs in at a provider or by a proxy, and has no password here. */
  is_external: z.boolean(),
  /** True while a token takes a fresh sign-in: the person has no password, and the session is too old. */
  needs_fresh_sign_in: z.boolean(),
  max_token_days: z.number(),
  sessions: z.array(OpenSession),
  tokens: z.array(AccessToken),
})
export type Account = z.output<typeof Account>

/** A whole workspace, or one key of it. */
export const Grant = z.strictObject({ workspace: Id, key: Id.nullable() })
export type Grant = z.output<typeof Grant>

/** A person as an admin sees them. A narrowed person sees what `grants` names, anybody else every workspace. */
export const Member = Person.extend({
  has_account: z.boolean(),
  has_password: z.boolean(),
  narrowed: z.boolean(),
  grants: z.array(Grant),
  sessions: z.number(),
  tokens: z.number(),
  /** Answers to this person's calls that held the key with which they were made. */
  key_exposures: z.number().default(0),
  /** Until when an invitation can be opened; null where there is none. */
  invited_until: z.string().nullable(),
  disabled_at: z.string().nullable(),
  seen_at: z.string().nullable(),
  created_at: z.string(),
})
export type Member = z.output<typeof Member>

/** What was done. `detail` is what it was about, in the words of its action. */
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
  /** By a token (of a link, or `SETUP_TOKEN`), by name and password, or as the one whom a trusted proxy says this is. */
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
    reply: z.object({ signed_out: z.boolean() }),
    invalidates: ['session'],
  }),
}
