import { EmbeddingError } from './embedding/embeddingRequests.ts'

/** The document was updated, deleted or claimed by another worker: this run stops. */
export class SupersededError extends Error {}
/** The document cannot be indexed; the reason is stored with it. */
export class IndexingError extends Error {}

/**
 * The error to store with the document; null for transient ones, such as a lost connection, after which it waits
 * again.
 */
export function toFailureReason(error: unknown): string | null {
  if (error instanceof IndexingError || error instanceof EmbeddingError) return error.message
  if (getCode(error) === STATEMENT_TIMEOUT)
    return 'The database took too long for a part of this document. Re-index it with smaller chunks or fewer child chunks in each.'
  return isTransient(error) ? null : 'Indexing failed with an internal error. See the server log.'
}

/**
 * Lost connections, deadlocks, insufficient resources, a server shutdown: SQLSTATE classes 08, 40, 53, 55, 57. A
 * statement timeout is not transient: a retry would take as long.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = getCode(error)
  if (code === STATEMENT_TIMEOUT) return false
  return (
    /^(08|40|53|55|57)...$|^E[A-Z]{4,}$/.test(code) || /connection terminated|timeout exceeded/i.test(error.message)
  )
}

const STATEMENT_TIMEOUT = '57014'

const getCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
