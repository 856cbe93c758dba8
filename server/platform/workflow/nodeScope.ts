import type { RecordedFile } from '../apps/files/fileRecord.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import type { RetrievalHit } from '../retrieval/retrievalHit.ts'
import type { AnswerWriter } from '../model/answerWriter.ts'
import type { ValueSelector } from './workflowGraph.ts'

/** Services of the platform for nodes. */
export interface NodeServices {
  /** @param streamed whether the text goes out as it is written, at a pace that a person can follow */
  writer: (streamed: boolean) => AnswerWriter
  retrieve: (question: { query: string; top_k: number }) => Promise<RetrievalHit[]>
  /** The text of an uploaded document. */
  readText: (file: RecordedFile) => Promise<string>
  countTokens: WorkerPool['countTokens']
  /** Current time in epoch ms. */
  clock: () => number
}

/** Context of a running node. */
export interface NodeScope {
  services: NodeServices
  signal: AbortSignal
  /** An output of an earlier node; null if there is none. */
  read: (selector: ValueSelector) => unknown
  /** Present if the text of the node is streamed. */
  onText?: ((piece: string) => void) | undefined
}

/** Result of a node. `way` selects its outgoing edges. */
export interface NodeOutcome {
  inputs: Record<string, unknown>
  process_data?: Record<string, unknown>
  outputs: Record<string, unknown>
  usage?: { total_tokens: number; total_price: string; currency: string }
  edgeName?: string
}

/** A node failed; the message is the error of the run. */
export class NodeError extends Error {
  override readonly name = 'NodeFailure'
}
