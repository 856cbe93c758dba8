import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/database.ts'
import type { WorkerPool } from './indexing/workerPool.ts'
import type { PlatformKeys } from './platformKeys.ts'
import type { Model } from './model/model.ts'
import type { RetrievalHit, RetrievalQuery } from './retrieval/retrievalHit.ts'

/** What every part of the built-in platform is given. */
export interface PlatformContext {
  database: Database
  keys: PlatformKeys
  /** Null when no endpoint is configured: answers are then extracted, and search is by keyword alone. */
  model: Model | null
  log: FastifyBaseLogger
  /** Now, in milliseconds since 1970. */
  clock: () => number
  /** Finds segments; the seam between the knowledge half and the application half. */
  retrieve: (question: RetrievalQuery) => Promise<RetrievalHit[]>
  /** Reads the text of a file, away from the event loop and within bounds (indexing/workerPool.ts). */
  extract: WorkerPool['extractText']
  /** Counts the tokens of a text, away from the event loop where it is long. */
  countTokens: WorkerPool['countTokens']
}

/** The account that owns everything made through a key: the interface knows no other. */
export const OWNER_ID = '5f0d9f5e-6b1f-4c53-9a52-0d9f3a1c7e01'

/** The interface's timestamps are whole seconds. */
export const toUnixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
