import type { PoolClient } from 'pg'
import type { Logger } from 'pino'
import { Id } from '#contract/endpoint.ts'
import { record } from '../access/audit.ts'
import type { Database } from '../database/database.ts'
import { recordExposure } from '../vault/exposures.ts'
import type { Vault } from '../vault/vault.ts'
import type { KeyExposure } from './upstream.ts'

/** Milliseconds between two audit entries for the same person and key; the second counts the calls in between. */
const PERIOD_MS = 60_000

interface Period {
  calls: Set<string>
  unwritten: number
  last: KeyExposure
  timer: NodeJS.Timeout
}

/**
 * Records that a platform's answer held the key with which it was asked: in the audit log, at the key (its owner is asked
 * to replace it) and at the person. Each call counts once.
 */
export class ExposureLog {
  readonly #database: Database
  readonly #vault: Pick<Vault, 'secretOf'>
  readonly #log: Pick<Logger, 'error'>
  readonly #periods = new Map<string, Period>()
  #written: Promise<void> = Promise.resolve()

  constructor(parts: { database: Database; vault: Pick<Vault, 'secretOf'>; log: Pick<Logger, 'error'> }) {
    this.#database = parts.database
    this.#vault = parts.vault
    this.#log = parts.log
  }

  readonly report = (exposure: KeyExposure): void => {
    const { credential, person_id, call_id } = exposure
    // A key that is being examined is stored nowhere yet.
    if (credential.key_id === '') return
    const name = `${person_id} ${credential.key_id}`
    const period = this.#periods.get(name)
    if (!period) {
      this.#begin(name, exposure)
      this.#write(exposure, 1)
    } else if (!period.calls.has(call_id)) {
      period.calls.add(call_id)
      period.unwritten++
      period.last = exposure
    }
  }

  /** Writes what has only been counted so far. Resolves when all is written, or has failed. */
  async settled(): Promise<void> {
    for (const [name, period] of this.#periods) this.#end(name, period)
    await this.#written
  }

  #begin(name: string, exposure: KeyExposure): void {
    const period: Period = {
      calls: new Set([exposure.call_id]),
      unwritten: 0,
      last: exposure,
      timer: setTimeout(() => {
        this.#end(name, period)
        if (period.unwritten > 0) this.#begin(name, period.last)
      }, PERIOD_MS).unref(),
    }
    this.#periods.set(name, period)
  }

  #end(name: string, { unwritten, last, timer }: Period): void {
    clearTimeout(timer)
    this.#periods.delete(name)
    if (unwritten > 0) this.#write(last, unwritten)
  }

  #write(exposure: KeyExposure, calls: number): void {
    const written = this.#database.transaction((client) => this.#record(client, exposure, calls))
    const done = written.catch((err: unknown) => this.#log.error({ err }, 'record key exposure failed'))
    this.#written = this.#written.then(() => done)
  }

  async #record(client: PoolClient, { credential, person_id, call_id }: KeyExposure, calls: number): Promise<void> {
    await recordExposure(client, this.#vault, credential)
    const { rows } = await client.query<{ id: string; name: string }>(
      `UPDATE people SET key_exposures = key_exposures + $3
       WHERE id = coalesce($1::uuid, (SELECT person_id FROM calls WHERE id = $2::uuid)) RETURNING id, name`,
      [person_id, Id.safeParse(call_id).data ?? null, calls],
    )
    await record(client, {
      action: 'key.exposed',
      person: rows[0] ?? null,
      workspace: credential.workspace_id,
      about: credential.key_id,
      label: credential.label,
      detail: { call: call_id, calls },
    })
  }
}
