import type { PoolClient } from 'pg'
import { ProblemError } from '#contract/problem.ts'
import { lockForSealing } from '../db/sealedTables.ts'
import { KeyPieceSearch, redact, removeSpans } from './keyRedaction.ts'
import { SELECT_SEALED_KEYS, type SealedRow } from './vaultRows.ts'

interface SecretReader {
  /** @throws ProblemError when the key must be entered again */
  secretOf(row: SealedRow): string
}

/** A key that was replaced meanwhile is no longer exposed. */
export async function markKeyExposed(
  client: PoolClient,
  vault: SecretReader,
  { key_id, secret }: { key_id: string; secret: string },
): Promise<void> {
  // The table before the row: a rotation of the master key locks them in this order.
  await lockForSealing(client, 'keys')
  if (await isCurrentSecret(client, vault, key_id, secret))
    await client.query('UPDATE keys SET exposed_at = $2 WHERE id = $1', [key_id, new Date()])
}

/** Whether this is the current value of the key; locks the row until the end of the transaction. */
export async function isCurrentSecret(
  client: PoolClient,
  vault: SecretReader,
  key_id: string,
  secret: string,
): Promise<boolean> {
  const { rows } = await client.query<SealedRow>(`${SELECT_SEALED_KEYS} WHERE keys.id = $1 FOR UPDATE OF keys`, [
    key_id,
  ])
  try {
    return rows[0] !== undefined && vault.secretOf(rows[0]) === secret
  } catch (error) {
    if (error instanceof ProblemError) return false
    throw error
  }
}

/** Removes one key from one reply, and reports each occurrence. */
export class KeyRedactor {
  readonly reportExposure: () => void
  readonly #secret: string

  constructor(secret: string, report: () => void = () => undefined) {
    this.#secret = secret
    this.reportExposure = report
  }

  clean = (text: string): string => this.#report(text, redact(text, this.#secret))

  createPieceRedactor(): (piece: string) => string {
    const search = new KeyPieceSearch(this.#secret)
    return (piece) => this.#report(piece, removeSpans(piece, search.find(piece)))
  }

  #report(before: string, after: string): string {
    if (after !== before) this.reportExposure()
    return after
  }
}
