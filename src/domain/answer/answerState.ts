import type { RetrieverResource, Usage } from '#contract/platform/schemas.ts'
import type { RunGap } from '#contract/console/runs.ts'
import type { UnknownEvent } from '../stream/unknownEvents.ts'
import { emptyRun, type RunState, type StreamProblem } from '../workflowRun/runState.ts'
import type { AgentThought, MessageFile } from './answerParts.ts'

export type { MessageFile, AgentThought as Thought } from './answerParts.ts'

/**
 * The state that a chat or completion stream folds into; a blocking reply folds into the same. Plain data: it survives
 * JSON, so the server stores the same value that the screen shows.
 */
export interface AnswerState {
  /** The answer so far: all deltas, or the last replacement and the deltas after it. */
  text: string
  /** True after text sent as `agent_message`: the next `message` is the answer itself. */
  by_agent: boolean
  /** Where the text of each agent step begins in `text`, with the ids of the thoughts. */
  steps?: { thought: string; start: number }[]
  /** Why the text was replaced (`message_replace.reason`, which may be empty), null if it was not. */
  replaced: string | null
  conversation_id: string | null
  message_id: string | null
  task_id: string | null
  created_at: number | null
  /** The app's mode in a blocking reply (`chat`, `agent-chat`, ...). */
  mode: string | null
  thoughts: AgentThought[]
  files: MessageFile[]
  reasoning: string
  usage: Usage | null
  sources: RetrieverResource[]
  annotation_reply: unknown
  /** The unchanged `metadata` of `message_end` or of the blocking reply. */
  metadata: Record<string, unknown> | null
  /** The nodes of a chatflow; equal to `emptyRun` for a basic chat. */
  run: RunState
  /**
   * A workflow that began after the end and never ran: invented by the platform for an answer of an annotation or
   * moderation, or for an error.
   */
  run_after_end?: RunState
  problem: StreamProblem | null
  /** True once `message_end`, an `error`, a failed `workflow_finished`, a `workflow_paused` or a blocking reply was seen. */
  ended: boolean
  /** Number of events after the end, except text and workflow events, and of texts after moderation; otherwise ignored. */
  late: number
  unknown: UnknownEvent[]
  /** The names of events that were too large, so that only their first part was read. */
  cut?: string[]
  /** Missed parts of the stream, in order. */
  gaps?: RunGap[]
}

export const emptyAnswer: AnswerState = {
  text: '',
  by_agent: false,
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

/** Whether output moderation replaced the text. An app without a workflow has no other replacement, and gives no reason. */
export const isModerated = ({ replaced, run }: AnswerState): boolean =>
  replaced === 'output_moderation' || (replaced === '' && run.status === null)
