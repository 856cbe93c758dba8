import type { RetrieverResource } from '#contract/platform/schemas.ts'
import type { AnswerUsage } from '../../model/answerUsage.ts'
import type { WorkflowState } from '../../workflow/runWorkflow.ts'

/** One execution of a node, as the snapshot of a run shows it. Times are seconds. */
export interface NodeExecution {
  id: string
  node_id: string
  node_type: string
  title: string
  created_at: number
  iteration_id: string | null
  end: NodeExecutionEnd | null
}

interface NodeExecutionEnd {
  status: string
  error: string | null
  elapsed_time: number
  finished_at: number
}

/** What the answer of a chatflow has collected in addition to its text. */
export interface ChatflowMetadata {
  resources: RetrieverResource[]
  usage: AnswerUsage | null
  /** The author of the generated text; null if there was none. */
  model: string | null
}

/** The state of a run that has not ended. `graph` is null before its first pause. */
export interface StoredRunState {
  system: Record<string, unknown>
  graph: WorkflowState | null
  nodes: NodeExecution[]
  chatflow: ChatflowMetadata | null
}

/** Follows the events of a run, so that later readers can be told which nodes are done. */
export class RunRecord {
  readonly nodes: NodeExecution[]

  constructor(earlier: readonly NodeExecution[] = []) {
    this.nodes = earlier.map((node) => ({ ...node }))
  }

  observe(event: string, data: Record<string, unknown>): void {
    if (event === 'node_started' || event === 'iteration_started') this.#start(data as unknown as StartedNode)
    if (event === 'node_finished' || event === 'iteration_completed')
      this.#end(data as unknown as NodeExecutionEnd & { id: string })
  }

  /** Marks the node that waits for a person. @param elapsed_time seconds of work */
  pause(id: string, end: Pick<NodeExecutionEnd, 'elapsed_time' | 'finished_at'>): void {
    this.#end({ id, status: 'paused', error: null, ...end })
  }

  #start({ id, node_id, node_type, title, created_at, iteration_id = null }: StartedNode): void {
    const known = this.nodes.find((node) => node.id === id)
    // The waiting node continues under its id.
    if (known) Object.assign(known, { created_at, end: null })
    else this.nodes.push({ id, node_id, node_type, title, created_at, iteration_id, end: null })
  }

  #end({ id, status, error, elapsed_time, finished_at }: NodeExecutionEnd & { id: string }): void {
    const node = this.nodes.find((one) => one.id === id)
    if (node) node.end = { status, error, elapsed_time, finished_at }
  }
}

interface StartedNode extends Omit<NodeExecution, 'iteration_id' | 'end'> {
  iteration_id?: string | null
}
