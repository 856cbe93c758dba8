import { EmbeddingError } from './embedding/embeddingRequests.ts'

/** The document was updated, deleted or claimed by another worker: this run stops. */
export class SupersededError extends Error {}
/** The document cannot be indexed; the reason is stored with it. */
export class IndexingError extends Error {}

/** The error to store with the document; null for transient ones, such as a lost connection: then it waits again. */
export function toFailureReason(error: unknown): string | null {
  if (error instanceof IndexingError || error instanceof EmbeddingError) return error.message
  return isTransient(error) ? null : 'The server met a fault while it indexed this document. Its log has the reason.'
}

/** Lost connections, deadlocks, insufficient resources, a server shutdown: SQLSTATE classes 08, 40, 53, 55, 57. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(08|40|53|55|57)...$|^E[A-Z]{4,}$/.test(code) || /connection terminated|timeout exceeded/i.test(error.message)
  )
}
