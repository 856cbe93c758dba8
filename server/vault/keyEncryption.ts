import type { PoolClient } from 'pg'
import type { Logger } from 'pino'
import { ProblemError } from '#contract/problem.ts'
import { type AuditKey, recordAudit } from '../auth/audit/auditLog.ts'
import type { Actor } from '../auth/people.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import type { Database } from '../db/database.ts'
import { lockForResealing, type SealedTableName } from '../db/sealedTables.ts'
import { findLiveServers } from '../db/liveServers.ts'
import { findAuditKeys, retainAuditKeys, toAuditKey } from './auditKeys.ts'
import { storeFingerprint } from './masterKeyFingerprint.ts'
import type { MasterKeys } from './masterKeys.ts'
import { type KeyRow, SELECT_SEALED_KEYS, type SealedRow } from './vaultRows.ts'
import { getMasterKeyId, type KeyEnvelope, createKeyEnvelope } from './keyEnvelope.ts'

/** The encrypted keys, and whether the current master keys can open them. */
export class KeyEncryption {
  readonly #database: Database
  readonly #envelope: KeyEnvelope
  readonly #masterKeys: MasterKeys
  readonly #log: Logger | null
  readonly #whenUnlockedQueue: (() => Promise<void>)[] = []
  #lockReason: string | null = null

  /** @param log required if keys are sealed again */
  constructor(database: Database, masters: MasterKeys, log: Logger | null = null) {
    this.#database = database
    this.#log = log
    this.#masterKeys = masters
    this.#envelope = createKeyEnvelope(masters)
  }

  /**
   * The reason for the lock: keys are encrypted with a master key that is missing. It ends when each of them is entered
   * again or deleted, or after a start with the right master key. The built-in platform's keys are known and do not count.
   */
  get lockReason(): string | null {
    return this.#lockReason
  }

  get masterKeySource(): 'file' | 'environment' {
    return this.#masterKeys.isFromEnv ? 'environment' : 'file'
  }

  /** Checks whether the keys can be opened, and re-encrypts those of an older master key. */
  async checkLock(): Promise<void> {
    const { sealed, unreadable } = await this.#findUnreadableKeys()
    const previousReason = this.#lockReason
    this.#lockReason = unreadable.length > 0 ? toLockReason(unreadable.length, sealed.length, this.#masterKeys) : null
    if (this.#lockReason) return
    await this.#resealKeys()
    if (previousReason) for (const start of this.#whenUnlockedQueue.splice(0)) await start()
  }

  /** The keys that no master key of this server can open. */
  async countUnreadableKeys(): Promise<number> {
    return (await this.#findUnreadableKeys()).unreadable.length
  }

  async #findUnreadableKeys(): Promise<Record<'sealed' | 'unreadable', SealedRow[]>> {
    const sealed = (await this.listSealedKeys()).filter((row) => row.sealed !== null && !row.builtin)
    return {
      sealed,
      unreadable: sealed.filter(({ sealed: text }) => !this.#masterKeys.findById(getMasterKeyId(text ?? ''))),
    }
  }

  /** Runs `start` now, or as soon as the keys can be opened. */
  async whenUnlocked(start: () => Promise<void>): Promise<void> {
    if (this.#lockReason) this.#whenUnlockedQueue.push(start)
    else await start()
  }

  /**
   * Rotates the master key: the new one encrypts from now on, every key is re-encrypted in one transaction, and only then
   * the old one is deleted. A server that stops in between continues at its next start.
   * @returns the number of re-encrypted keys.
   */
  async renewMasterKey(actor: Actor): Promise<number> {
    if (this.#masterKeys.isFromEnv)
      throw new ProblemError({ kind: 'denied', status: 409, message: ENV_MASTER_KEY_MESSAGE })
    // No server may start meanwhile with the old one.
    return this.#database.withAdvisoryLock(ADVISORY_LOCKS.serverStart, async () => {
      if (this.#database.kind === 'postgresql' && (await findLiveServers(this.#database.pool)).length > 1)
        throw new ProblemError({ kind: 'denied', status: 409, message: OTHER_SERVERS_MESSAGE })
      this.#masterKeys.addNew()
      return this.#resealKeys(actor)
    })
  }

  /**
   * A person's renewal is refused while something cannot be opened, since it would be lost. A start leaves it as it
   * is, with its master key.
   */
  async #resealKeys(actor?: Actor): Promise<number> {
    if (this.#masterKeys.isEmpty) return 0
    const { id } = this.#masterKeys.getSealingKey()
    let unreadable = 0
    const count = await this.#database.transaction(async (client) => {
      await lockForResealing(client, ['keys', 'webhooks'])
      const { rows } = await client.query<SealedRow>(
        `${SELECT_SEALED_KEYS} WHERE sealed NOT LIKE $1 FOR UPDATE OF keys`,
        [`2.${id}.%`],
      )
      const open = rows.filter((row) => row.sealed !== null && this.#masterKeys.findById(getMasterKeyId(row.sealed)))
      for (const row of open) {
        const value = actor
          ? this.open(row)
          : this.#openOrNull(row.sealed ?? '', toAssociatedData(row.id, row.base_url))
        if (value === null) unreadable++
        else await client.query('UPDATE keys SET sealed = $2 WHERE id = $1', [row.id, this.seal(row.id, row, value)])
      }
      const unreadableWebhooks = await this.#resealTable(client, WEBHOOKS)
      if (actor && unreadableWebhooks > 0) throw toReenterWebhookError()
      unreadable += unreadableWebhooks
      // Locks are taken in this order: keys and webhooks, the audit log, sessions.
      if (actor) await recordAudit(client, { action: 'master.renewed', ...actor, detail: { sealed: open.length } })
      await lockForResealing(client, ['oidc_sessions'])
      await this.#resealTable(client, OIDC_SESSIONS)
      await retainAuditKeys(client, this.#masterKeys)
      if (this.#database.kind === 'postgresql') await storeFingerprint(client, this.#masterKeys)
      return open.length
    })
    if (unreadable === 0) this.#masterKeys.dropOlderThan(id)
    else this.#log?.warn({ unreadable }, 'open keys or webhooks failed: they must be entered again')
    return count
  }

  /** @returns how many could not be opened and were not discarded */
  async #resealTable(client: PoolClient, one: SealedTable): Promise<number> {
    const { table, column, toAssociatedData, discard } = one
    const { rows } = await client.query<{ row_id: string; sealed: string }>(
      `SELECT ${column} AS row_id, sealed FROM ${table} WHERE sealed NOT LIKE $1 FOR UPDATE`,
      [`2.${this.#masterKeys.getSealingKey().id}.%`],
    )
    let unreadable = 0
    for (const { row_id, sealed } of rows) {
      if (!this.#masterKeys.findById(getMasterKeyId(sealed))) continue
      const bond = toAssociatedData(row_id)
      const opened = this.#openOrNull(sealed, bond)
      if (opened !== null) {
        const resealed = this.#envelope.seal(opened, bond)
        await client.query(`UPDATE ${table} SET sealed = $2 WHERE ${column} = $1`, [row_id, resealed])
      } else if (discard === null) unreadable++
      else {
        await client.query(`UPDATE ${table} SET ${discard} WHERE ${column} = $1`, [row_id])
        this.#log?.warn({ table }, 'open envelope failed: what it holds is discarded')
      }
    }
    return unreadable
  }

  /** The current audit key; null while the master key is missing, in which case no new one is created. */
  auditKey = (): AuditKey | null => (this.#lockReason ? null : toAuditKey(this.#masterKeys.getSealingKey()))

  auditKeys = (): Promise<Map<string, Buffer>> => findAuditKeys(this.#database.pool, this.#masterKeys)

  isUsable = ({ sealed }: KeyRow): boolean =>
    sealed !== null && this.#masterKeys.findById(getMasterKeyId(sealed)) !== undefined

  async listSealedKeys(): Promise<SealedRow[]> {
    const { rows } = await this.#database.pool.query<SealedRow>(SELECT_SEALED_KEYS)
    return rows
  }

  async openAll(): Promise<string[]> {
    return (await this.listSealedKeys()).flatMap((row) => {
      try {
        return [this.open(row)]
      } catch {
        return []
      }
    })
  }

  seal = (id: string, workspace: { base_url: string }, value: string) =>
    this.#envelope.seal(value, toAssociatedData(id, workspace.base_url))

  /** Seals the settings of a workspace's webhook, bound to that workspace. */
  sealWebhook = (workspace_id: string, value: string): string => this.#envelope.seal(value, toWebhookData(workspace_id))

  /** @throws ProblemError when the webhook must be entered again */
  openWebhook(workspace_id: string, sealed: string): string {
    try {
      return this.#envelope.open(sealed, toWebhookData(workspace_id))
    } catch {
      throw toReenterWebhookError()
    }
  }

  /**
   * Seals the tokens of a session at a sign-in provider, bound to that session. Null while the vault is locked: people
   * still sign in then, and no new master key is created.
   */
  sealSessionTokens = (session_token: string, value: string): string | null =>
    this.#lockReason ? null : this.#envelope.seal(value, toSessionData(session_token))

  /** Null if they are damaged or were sealed with another master key. */
  openSessionTokens = (session_token: string, sealed: string): string | null =>
    this.#openOrNull(sealed, toSessionData(session_token))

  #openOrNull(sealed: string, bond: string): string | null {
    try {
      return this.#envelope.open(sealed, bond)
    } catch {
      return null
    }
  }

  /** @throws ProblemError when the key must be entered again */
  open(row: SealedRow): string {
    if (row.sealed === null) throw toReenterKeyError(row, 'the origin of its workspace was changed')
    try {
      return this.#envelope.open(row.sealed, toAssociatedData(row.id, row.base_url))
    } catch {
      throw toReenterKeyError(row, 'it was sealed with another master key')
    }
  }
}

/** A table of envelopes other than that of the keys: its id column, and what binds an envelope to its row. */
interface SealedTable {
  table: SealedTableName
  column: string
  toAssociatedData: (id: string) => string
  /** Replaces an envelope that does not open; null if a person has to enter it again. */
  discard: string | null
}

const toWebhookData = (workspace_id: string) => `webhook ${workspace_id}`
const toSessionData = (session_token: string) => `session ${session_token}`
const WEBHOOKS: SealedTable = {
  table: 'webhooks',
  column: 'workspace_id',
  toAssociatedData: toWebhookData,
  discard: null,
}
const OIDC_SESSIONS: SealedTable = {
  table: 'oidc_sessions',
  column: 'token',
  toAssociatedData: toSessionData,
  discard: 'sealed = NULL, next_check_at = NULL',
}

const toAssociatedData = (key_id: string, base_url: string) => `${key_id} ${new URL(base_url).origin}`

const toReenterKeyError = (row: KeyRow, why: string) =>
  new ProblemError({ kind: 'denied', status: 409, message: `The key “${row.label}” must be entered again: ${why}.` })

const toReenterWebhookError = () =>
  new ProblemError({
    kind: 'denied',
    status: 409,
    message: 'The webhook must be entered again: it was sealed with another master key.',
  })

const ENV_MASTER_KEY_MESSAGE =
  'The master key is set by MASTER_KEY. Start with MASTER_KEY=<new>,<old>, which re-encrypts all keys, then with the new one alone.'

const OTHER_SERVERS_MESSAGE =
  'Other servers share the database and would not have the new master key. Set MASTER_KEY on all of them (docs/operating.md, “One master key”).'

const toLockReason = (unreadable: number, all: number, masterKeys: MasterKeys): string =>
  `${masterKeys.isEmpty ? `The master key is missing (${masterKeys.source})` : `The master key of ${masterKeys.source} is another one`}: ` +
  `${unreadable} of ${all} keys cannot be opened, and nothing can be changed. Start with the right master key, or enter these keys again.`
