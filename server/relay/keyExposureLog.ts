import type { PoolClient } from 'pg'
import type { Logger } from 'pino'
import { Id } from '#contract/endpoint.ts'
import { recordAudit } from '../auth/audit/auditLog.ts'
import type { Database } from '../db/database.ts'
import { markKeyExposed } from '../vault/keyExposures.ts'
import type { Vault } from '../vault/vault.ts'
import type { KeyExposure } from './upstream/upstream.ts'

/** Milliseconds between two audit entries for the same person and key; the second entry counts the calls in between. */
const AUDIT_PERIOD_MS = 60_000

interface ExposurePeriod {
  callIds: Set<string>
  unwrittenCalls: number
  lastExposure: KeyExposure
  timer: NodeJS.Timeout
}

/**
 * Records that a platform's reply contained the key of its request: in the audit log, at the key (its owner is asked
 * to replace it) and at the person. Each call counts once.
 */
export class KeyExposureLog {
  readonly #database: Database
  readonly #vault: Pick<Vault, 'secretOf'>
  readonly #log: Pick<Logger, 'error'>
  readonly #periods = new Map<string, ExposurePeriod>()
  #pendingWrites: Promise<void> = Promise.resolve()

  constructor(parts: { database: Database; vault: Pick<Vault, 'secretOf'>; log: Pick<Logger, 'error'> }) {
    this.#database = parts.database
    this.#vault = parts.vault
    this.#log = parts.log
  }

  readonly report = (exposure: KeyExposure): void => {
    const { credential, person_id, call_id } = exposure
    // A key under validation is not stored yet.
    if (credential.key_id === '') return
    const name = `${person_id} ${credential.key_id}`
    const period = this.#periods.get(name)
    if (!period) {
      this.#startPeriod(name, exposure)
      this.#write(exposure, 1)
    } else if (!period.callIds.has(call_id)) {
      period.callIds.add(call_id)
      period.unwrittenCalls++
      period.lastExposure = exposure
    }
  }

  /** Writes the pending counts. Resolves when all are written, or have failed. */
  async whenIdle(): Promise<void> {
    for (const [name, period] of this.#periods) this.#endPeriod(name, period)
    await this.#pendingWrites
  }

  #startPeriod(name: string, exposure: KeyExposure): void {
    const period: ExposurePeriod = {
      callIds: new Set([exposure.call_id]),
      unwrittenCalls: 0,
      lastExposure: exposure,
      timer: setTimeout(() => {
        this.#endPeriod(name, period)
        if (period.unwrittenCalls > 0) this.#startPeriod(name, period.lastExposure)
      }, AUDIT_PERIOD_MS).unref(),
    }
    this.#periods.set(name, period)
  }

  #endPeriod(name: string, { unwrittenCalls, lastExposure, timer }: ExposurePeriod): void {
    clearTimeout(timer)
    this.#periods.delete(name)
    if (unwrittenCalls > 0) this.#write(lastExposure, unwrittenCalls)
  }

  #write(exposure: KeyExposure, calls: number): void {
    const written = this.#database.transaction((client) => this.#writeExposure(client, exposure, calls))
    const done = written.catch((err: unknown) => this.#log.error({ err }, 'record key exposure failed'))
    this.#pendingWrites = this.#pendingWrites.then(() => done)
  }

  async #writeExposure(
    client: PoolClient,
    { credential, person_id, call_id }: KeyExposure,
    calls: number,
  ): Promise<void> {
    await markKeyExposed(client, this.#vault, credential)
    const { rows } = await client.query<{ id: string; name: string }>(
      `UPDATE people SET key_exposures = key_exposures + $3
       WHERE id = coalesce($1::uuid, (SELECT person_id FROM calls WHERE id = $2::uuid)) RETURNING id, name`,
      [person_id, Id.safeParse(call_id).data ?? null, calls],
    )
    await recordAudit(client, {
      action: 'key.exposed',
      person: rows[0] ?? null,
      workspace: credential.workspace_id,
      about: credential.key_id,
      label: credential.label,
      detail: { call: call_id, calls },
    })
  }
}
