import type { RecordedFile } from '../apps/files.ts'
import type { Workshop } from '../indexing/workshop.ts'
import type { Hit } from '../retrieval/hit.ts'
import type { Writer } from '../model/writer.ts'
import type { Selector } from './graph.ts'

/** What nodes may ask of the platform. */
export interface Services {
  /** @param streamed whether the text goes out as it is written, at a pace that a person can follow */
  writer: (streamed: boolean) => Writer
  retrieve: (question: { query: string; top_k: number }) => Promise<Hit[]>
  /** The text of an uploaded document. */
  readText: (file: RecordedFile) => Promise<string>
  countTokens: Workshop['countTokens']
  /** Now, in milliseconds since 1970. */
  clock: () => number
}

/** What a node sees while it runs. */
export interface Scope {
  services: Services
  signal: AbortSignal
  /** A value that an earlier node gave; null where nothing was given. */
  read: (selector: Selector) => unknown
  /** Present where the text of the node is streamed. */
  onText?: ((piece: string) => void) | undefined
}

/** What a node did. `way` names the edges by which it is left. */
export interface Outcome {
  inputs: Record<string, unknown>
  process_data?: Record<string, unknown>
  outputs: Record<string, unknown>
  usage?: { total_tokens: number; total_price: string; currency: string }
  way?: string
}

/** A node cannot do what it is asked; the message is the reason that the run fails with. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
}
