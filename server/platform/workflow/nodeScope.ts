import type { RecordedFile } from '../apps/files/fileRecord.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import type { RetrievalHit } from '../retrieval/retrievalHit.ts'
import type { AnswerUsage } from '../model/answerUsage.ts'
import type { AnswerWriter } from '../model/answerWriter.ts'
import type { ValueSelector } from './workflowGraph.ts'

/** A change of a variable of the conversation; `value` counts unless it is cleared. */
export interface VariableAssignment {
  variable: string
  operation: 'over-write' | 'append' | 'clear'
  value: unknown
}

/** Services of the platform for nodes. */
export interface NodeServices {
  /** @param streamed whether the text goes out as it is written, at a pace that a person can follow */
  writer: (streamed: boolean) => AnswerWriter
  retrieve: (question: { query: string; top_k: number }) => Promise<RetrievalHit[]>
  /** The text of an uploaded document. */
  readText: (file: RecordedFile) => Promise<string>
  /** Stores the value of a variable of the conversation. @returns the stored value */
  assign: (assignment: VariableAssignment) => Promise<unknown>
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
  /** Present if the text of the node is streamed: sends a piece of the output that a selector names. */
  onText?: ((piece: string, source: ValueSelector) => void) | undefined
  /** Of an answer: whether the text that it begins with was sent while its node wrote it. */
  isLeadingTextSent: boolean
}

/** Result of a node. `way` selects its outgoing edges. */
export interface NodeOutcome {
  inputs: Record<string, unknown>
  process_data?: Record<string, unknown>
  outputs: Record<string, unknown>
  usage?: AnswerUsage
  edgeName?: string
}

/** A node failed; the message is the error of the run. */
export class NodeError extends Error {
  override readonly name = 'NodeFailure'
}
