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
import { timestampColumn } from '../db/columns.ts'
import type { Role } from '#contract/permissions.ts'

/**
 * `password` is an argon2id string; null without one. `narrowed` people see only what `grants` (in `vault/schema.ts`) lists.
 */
export const people = pgTable(
  'people',
  {
    id: uuid().primaryKey(),
    name: text().notNull().unique(),
    role: text().notNull().$type<Role>(),
    default_user: text().notNull(),
    password: text(),
    narrowed: boolean().notNull().default(false),
    disabled_at: timestampColumn('disabled_at'),
    created_at: timestampColumn('created_at').notNull(),
    /** Replies to this person's calls that contained the API key of the call. */
    key_exposures: integer().notNull().default(0),
  },
  (table) => [uniqueIndex('people_by_name').on(sql`lower(${table.name})`)],
)

/** `token` is the SHA-256 of the cookie's value: the database contains no usable token. `via` is the sign-in method. */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    id: uuid().notNull(),
    person_id: uuid()
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    via: text().notNull(),
    address: text(),
    agent: text(),
    created_at: timestampColumn('created_at').notNull(),
    seen_at: timestampColumn('seen_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('sessions_by_person').on(table.person_id)],
)

/**
 * The sessions that began at an OpenID provider. `token` is that of `sessions`; `sid` is the provider's session. `sealed`
 * is an envelope (`vault/keyEnvelope.ts`) around the ID token and the refresh token; null while the vault is locked. A
 * server claims a check by moving `next_check_at` on; null where the provider gave no refresh token.
 */
export const oidcSessions = pgTable(
  'oidc_sessions',
  {
    token: text()
      .primaryKey()
      .references(() => sessions.token, { onDelete: 'cascade' }),
    issuer: text().notNull(),
    subject: text().notNull(),
    sid: text(),
    sealed: text(),
    next_check_at: timestampColumn('next_check_at'),
  },
  (table) => [
    index('oidc_sessions_by_subject').on(table.issuer, table.subject),
    index('oidc_sessions_due').on(table.next_check_at),
  ],
)

/** Logout tokens of a provider that were used; `id` is the hash of issuer and `jti`. */
export const oidcLogoutTokens = pgTable('oidc_logout_tokens', {
  id: text().primaryKey(),
  expires_at: timestampColumn('expires_at').notNull(),
})

/** Why a provider ended sessions, for the sign-in page; `token` as in `sessions`. */
export const endedSessions = pgTable('ended_sessions', {
  token: text().primaryKey(),
  reason: text().notNull(),
  ended_at: timestampColumn('ended_at').notNull(),
})

/** One-time sign-in tokens, hashed: of an invited person, or (null) of the person who starts the server. */
export const signInLinks = pgTable('sign_in_links', {
  token: text().primaryKey(),
  person_id: uuid().references(() => people.id, { onDelete: 'cascade' }),
  expires_at: timestampColumn('expires_at').notNull(),
})

/** Access tokens of scripts, hashed. `role` is the token's maximum role; its person's role limits it too. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    id: uuid().primaryKey(),
    token: text().notNull().unique(),
    person_id: uuid()
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    hint: text().notNull(),
    role: text().notNull().$type<Role>(),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
    used_at: timestampColumn('used_at'),
  },
  (table) => [index('access_tokens_by_person').on(table.person_id)],
)

/** Identities at an OpenID provider or a proxy: issuer and subject, never an e-mail. */
export const identities = pgTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    person_id: uuid()
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    created_at: timestampColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('identities_by_person').on(table.person_id),
  ],
)

/** Pending sign-ins at a provider; each is used once. `state` is hashed. */
export const oidcFlows = pgTable('oidc_flows', {
  state: text().primaryKey(),
  verifier: text().notNull(),
  nonce: text().notNull(),
  next: text(),
  expires_at: timestampColumn('expires_at').notNull(),
})

/** Failed sign-ins, counted by account and network and by account alone; `about` is the hash of these. */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    about: text().primaryKey(),
    failures: integer().notNull(),
    first_at: timestampColumn('first_at').notNull(),
    locked_until: timestampColumn('locked_until'),
  },
  (table) => [index('login_attempts_by_age').on(table.first_at)],
)

/** Single values of the console. `setup_admin` is the id of the person whom the server's link and SETUP_TOKEN sign in. */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/**
 * The audit log in chronological order. Each row contains the hash of the row before it. Rows are never changed or deleted.
 */
export const audit = pgTable(
  'audit',
  {
    seq: bigint({ mode: 'number' }).primaryKey().$type<string>(),
    at: timestampColumn('at').notNull(),
    action: text().notNull(),
    person_id: uuid(),
    person: text(),
    workspace_id: uuid(),
    /** The target of the action: its id and its name at that time. */
    about: text(),
    label: text(),
    detail: json(),
    address: text(),
    previous: text().notNull(),
    hash: text().notNull(),
    /** The id of the master key from which the key of `hash` is derived; null for a plain hash. */
    key_id: text(),
  },
  (table) => [
    index('audit_by_person').on(table.person_id, table.seq),
    index('audit_by_action').on(table.action, table.seq),
  ],
)

/** Audit keys of retired master keys, sealed with the current one. */
export const auditKeys = pgTable('audit_keys', { id: text().primaryKey(), sealed: text().notNull() })
