import type { RetrieverResource, Usage } from './shapes.ts'
import { emptyRun, type RunState, type StreamProblem, type UnknownEvent } from './run.ts'

/**
 * What a chat or completion stream folds into; a blocking reply folds into the same. Plain data: it survives JSON, so
 * the server stores the same value that the screen draws.
 */
export interface AnswerState {
  /** The answer so far: all deltas, or the last replacement and what came after it. */
  text: string
  /** Why the text was replaced (`message_replace.reason`), null while it was not. */
  replaced: string | null
  conversation_id: string | null
  message_id: string | null
  task_id: string | null
  created_at: number | null
  /** The app's mode word from a blocking reply (`chat`, `agent-chat`, ...). */
  mode: string | null
  thoughts: Thought[]
  files: MessageFile[]
  reasoning: string
  usage: Usage | null
  sources: RetrieverResource[]
  annotation_reply: unknown
  /** The whole `metadata` of `message_end` or of the blocking reply, as it came. */
  metadata: Record<string, unknown> | null
  /** The nodes of a chatflow; equal to `emptyRun` for a basic chat. */
  run: RunState
  problem: StreamProblem | null
  /** True once `message_end` or an `error` event (or a blocking reply) was seen. */
  ended: boolean
  /** Events that came after the end (other than speech and `workflow_finished`), counted and otherwise ignored. */
  late: number
  unknown: UnknownEvent[]
}

export interface Thought {
  id: string
  position: number | null
  thought: string | null
  observation: string | null
  tool: string | null
  tool_labels: unknown
  tool_input: string | null
  message_files: string[]
}

export interface MessageFile {
  id: string | null
  type: string | null
  belongs_to: string | null
  url: string | null
}

export const emptyAnswer: AnswerState = {
  text: '',
  replaced: null,
  conversation_id: null,
  message_id: null,
  task_id: null,
  created_at: null,
  mode: null,
  thoughts: [],
  files: [],
  reasoning: '',
  usage: null,
  sources: [],
  annotation_reply: null,
  metadata: null,
  run: emptyRun,
  problem: null,
  ended: false,
  late: 0,
  unknown: [],
}

export function foldAnswer(answer: AnswerState, _event: unknown): AnswerState {
  return answer
}
