import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/database.ts'
import type { FileLinks } from './apps/files/fileLinks.ts'
import type { WorkerPool } from './indexing/workerPool.ts'
import type { PlatformKeys } from './platformKeys.ts'
import type { Model } from './model/model.ts'
import type { RetrievalQuery, RetrievalResult } from './retrieval/retrievalHit.ts'

export interface PlatformContext {
  database: Database
  keys: PlatformKeys
  /** Null if no endpoint is configured: answers are then extracted, and search is by keyword only. */
  model: Model | null
  log: FastifyBaseLogger
  /** Current time in epoch ms. */
  clock: () => number
  /** Finds segments; connects the knowledge half and the application half. */
  retrieve: (question: RetrievalQuery) => Promise<RetrievalResult>
  /** Reads the text of a file in a worker, within limits (indexing/workerPool.ts). */
  extract: WorkerPool['extractText']
  fileLinks: FileLinks
  /** Counts the tokens of a text, of a long text in a worker. */
  countTokens: WorkerPool['countTokens']
}

/** The account that owns everything created with a key: the interface has no other. */
export const OWNER_ID = '5f0d9f5e-6b1f-4c53-9a52-0d9f3a1c7e01'

/** The interface's timestamps are whole seconds. */
export const toUnixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
