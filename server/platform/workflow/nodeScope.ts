import type { RecordedFile } from '../apps/files/fileRecord.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import type { RetrievalHit } from '../retrieval/retrievalHit.ts'
import type { AnswerWriter } from '../model/answerWriter.ts'
import type { ValueSelector } from './workflowGraph.ts'

/** What nodes may ask of the platform. */
export interface NodeServices {
  /** @param streamed whether the text goes out as it is written, at a pace that a person can follow */
  writer: (streamed: boolean) => AnswerWriter
  retrieve: (question: { query: string; top_k: number }) => Promise<RetrievalHit[]>
  /** The text of an uploaded document. */
  readText: (file: RecordedFile) => Promise<string>
  countTokens: WorkerPool['countTokens']
  /** Now, in milliseconds since 1970. */
  clock: () => number
}

/** What a node sees while it runs. */
export interface NodeScope {
  services: NodeServices
  signal: AbortSignal
  /** A value that an earlier node gave; null where nothing was given. */
  read: (selector: ValueSelector) => unknown
  /** Present where the text of the node is streamed. */
  onText?: ((piece: string) => void) | undefined
}

/** What a node did. `way` names the edges by which it is left. */
export interface NodeOutcome {
  inputs: Record<string, unknown>
  process_data?: Record<string, unknown>
  outputs: Record<string, unknown>
  usage?: { total_tokens: number; total_price: string; currency: string }
  edgeName?: string
}

/** A node cannot do what it is asked; the message is the reason that the run fails with. */
export class NodeError extends Error {
  override readonly name = 'NodeFailure'
}
