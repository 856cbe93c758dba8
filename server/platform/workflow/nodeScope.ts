import type { RecordedFile } from '../apps/files/fileRecord.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import type { RetrievalHit } from '../retrieval/retrievalHit.ts'
import type { AnswerUsage } from '../model/answerUsage.ts'
import type { AnswerWriter } from '../model/answerWriter.ts'
import type { ValueSelector } from './workflowGraph.ts'

/** A change of a conversation variable; `value` is used unless it is cleared. */
export interface VariableAssignment {
  variable: string
  operation: 'over-write' | 'append' | 'clear'
  value: unknown
}

/** Services of the platform for nodes. */
export interface NodeServices {
  /** @param streamed whether the text is sent as it is written, at a readable pace */
  writer: (streamed: boolean) => AnswerWriter
  retrieve: (question: { query: string; top_k: number }) => Promise<RetrievalHit[]>
  readText: (file: RecordedFile) => Promise<string>
  /** Stores the value of a variable of the conversation. @returns the stored value */
  assign: (assignment: VariableAssignment) => Promise<unknown>
  countTokens: WorkerPool['countTokens']
  /** Current time in epoch ms. */
  clock: () => number
}

export interface NodeScope {
  services: NodeServices
  signal: AbortSignal
  /** An output of an earlier node; null if there is none. */
  read: (selector: ValueSelector) => unknown
  /** Present if the text of the node is streamed: sends a piece of the selected output. */
  onText?: ((piece: string, source: ValueSelector) => void) | undefined
  /** For an answer: whether its leading text was already sent by its node. */
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
