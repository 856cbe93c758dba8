import { ProblemError } from '#contract/problem.ts'
import { type AuditKey, record } from '../access/audit.ts'
import type { By } from '../access/people.ts'
import type { Database } from '../database/database.ts'
import { findAuditKeys, retainAuditKeys, toAuditKey } from './audit-keys.ts'
import type { Masters } from './masters.ts'
import { type KeyRow, SEALED, type SealedRow } from './rows.ts'
import { masterOf, type Seal, seal } from './seal.ts'

/** The keys as they are sealed, and whether the master key that is here opens them. */
export class Sealing {
  readonly #database: Database
  readonly #seal: Seal
  readonly #masters: Masters
  readonly #opening: (() => Promise<void>)[] = []
  #lock: string | null = null

  constructor(database: Database, masters: Masters) {
    this.#database = database
    this.#masters = masters
    this.#seal = seal(masters)
  }

  /**
   * Why nothing may be changed: keys are sealed with a master key that is not here. Entering or deleting each of them ends
   * it, and so does a start with the right one. The built-in platform's keys are known and count for nothing.
   */
  get lock(): string | null {
    return this.#lock
  }

  get master(): 'file' | 'environment' {
    return this.#masters.isGiven ? 'environment' : 'file'
  }

  /** Looks whether the keys can be opened, and seals those anew that an older master key has sealed. */
  async look(): Promise<void> {
    const sealed = (await this.all()).filter((row) => row.sealed !== null && !row.builtin)
    const foreign = sealed.filter(({ sealed: text }) => !this.#masters.find(masterOf(text ?? '')))
    const was = this.#lock
    this.#lock = foreign.length > 0 ? lockOf(foreign.length, sealed.length, this.#masters) : null
    if (this.#lock) return
    await this.#sealAnew()
    if (was) for (const begin of this.#opening.splice(0)) await begin()
  }

  /** Does something now, or as soon as the keys can be opened. */
  async whenOpen(begin: () => Promise<void>): Promise<void> {
    if (this.#lock) this.#opening.push(begin)
    else await begin()
  }

  /**
   * A new master key: it seals from now on, every key is sealed anew in one transaction, and only then the old one is
   * forgotten. A server that stops in between goes on at its next start.
   * @returns how many keys were sealed anew.
   */
  async renewMaster(by: By): Promise<number> {
    if (this.#masters.isGiven) throw new ProblemError({ kind: 'denied', status: 409, message: GIVEN })
    this.#masters.renew()
    return this.#sealAnew(by)
  }

  async #sealAnew(by?: By): Promise<number> {
    if (this.#masters.hasNone) return 0
    const { id } = this.#masters.current()
    const count = await this.#database.transaction(async (client) => {
      const { rows } = await client.query<SealedRow>(`${SEALED} WHERE sealed NOT LIKE $1 FOR UPDATE OF keys`, [
        `2.${id}.%`,
      ])
      const open = rows.filter((row) => row.sealed !== null && this.#masters.find(masterOf(row.sealed)))
      for (const row of open)
        await client.query('UPDATE keys SET sealed = $2 WHERE id = $1', [
          row.id,
          this.close(row.id, row, this.open(row)),
        ])
      await retainAuditKeys(client, this.#masters)
      if (by) await record(client, { action: 'master.renewed', ...by, detail: { sealed: open.length } })
      return open.length
    })
    this.#masters.retire()
    return count
  }

  /** What rows of the audit log are keyed with; null while the master key is missing, when none is made silently. */
  auditKey = (): AuditKey | null => (this.#lock ? null : toAuditKey(this.#masters.current()))

  /** What rows of the audit log can be checked with. */
  auditKeys = (): Promise<Map<string, Buffer>> => findAuditKeys(this.#database.pool, this.#masters)

  isUsable = ({ sealed }: KeyRow): boolean => sealed !== null && this.#masters.find(masterOf(sealed)) !== undefined

  async all(): Promise<SealedRow[]> {
    const { rows } = await this.#database.pool.query<SealedRow>(SEALED)
    return rows
  }

  /** The values of all keys that can be opened. */
  async values(): Promise<string[]> {
    return (await this.all()).flatMap((row) => {
      try {
        return [this.open(row)]
      } catch {
        return []
      }
    })
  }

  close = (id: string, workspace: { base_url: string }, value: string) =>
    this.#seal.close(value, bond(id, workspace.base_url))

  /** @throws ProblemError when the key has to be entered again. */
  open(row: SealedRow): string {
    if (row.sealed === null) throw reenter(row, 'the origin of its workspace was changed')
    try {
      return this.#seal.open(row.sealed, bond(row.id, row.base_url))
    } catch {
      throw reenter(row, 'it was sealed with another master key')
    }
  }
}

const bond = (key_id: string, base_url: string) => `${key_id} ${new URL(base_url).origin}`

const reenter = (row: KeyRow, why: string) =>
  new ProblemError({ kind: 'denied', status: 409, message: `The key “${row.label}” must be entered again: ${why}.` })

const GIVEN =
  'The master key is given by MASTER_KEY. Start with MASTER_KEY=<new>,<old>, which seals every key anew, then with the new one alone.'

const lockOf = (foreign: number, all: number, masters: Masters): string =>
  `${masters.hasNone ? `The master key is missing (${masters.source})` : `The master key of ${masters.source} is another one`}: ` +
  `${foreign} of ${all} keys cannot be opened, and nothing can be changed. Start with the right master key, or enter these keys again.`
