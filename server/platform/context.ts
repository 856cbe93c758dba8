import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Workshop } from './indexing/workshop.ts'
import type { PlatformKeys } from './keys.ts'
import type { Model } from './model/model.ts'
import type { Hit, Question } from './retrieval/hit.ts'

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
  retrieve: (question: Question) => Promise<Hit[]>
  /** Reads the text of a file, away from the event loop and within bounds (indexing/workshop.ts). */
  extract: Workshop['extract']
  /** Counts the tokens of a text, away from the event loop where it is long. */
  countTokens: Workshop['countTokens']
}

/** The account that owns everything made through a key: the interface knows no other. */
export const OWNER = '5f0d9f5e-6b1f-4c53-9a52-0d9f3a1c7e01'

/** The interface's timestamps are whole seconds. */
export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
