import { randomUUID } from 'node:crypto'
import { block, refuse, type Script, type Stop, stream } from './platform.ts'

type Data = Record<string, unknown>

/** What a platform plays when a workflow is run: its frames and how they stop, or a refusal. */
export interface Play {
  frames?: string[]
  stop?: Stop
  refusal?: { status: number; body: unknown }
}

const BEGAN = 1_795_000_000

/** The frames of one run, written down as they would come. */
export class Story {
  readonly id = randomUUID()
  readonly frames: string[] = []
  #index = 0

  say(event: string, data: Data = {}): this {
    this.frames.push(block({ event, task_id: 't-1', workflow_run_id: this.id, data }))
    return this
  }

  begin(inputs: Data = {}): this {
    return this.say('workflow_started', { id: this.id, workflow_id: 'w-1', inputs, created_at: BEGAN })
  }

  /** `at` and `took` are seconds. What a node was given and gave stands in `more`. */
  node(node_id: string, title: string, { at = 0, took = 0.5, status = 'succeeded', ...more }: Data = {}): this {
    const same = { id: `${node_id}-${this.#index}`, node_id, title, node_type: 'code', index: ++this.#index, ...more }
    this.say('node_started', { ...same, created_at: BEGAN + Number(at) })
    return this.say('node_finished', { ...same, status, elapsed_time: took, created_at: BEGAN + Number(at) })
  }

  end(status = 'succeeded', more: Data = {}): this {
    return this.say('workflow_finished', this.detail(status, more))
  }

  /** What operation 12 says of it. */
  detail(status: string, more: Data = {}): Data {
    return {
      id: this.id,
      workflow_id: 'w-1',
      status,
      outputs: { text: 'Green.' },
      error: null,
      elapsed_time: 12,
      total_tokens: 42,
      total_steps: this.#index,
      created_at: BEGAN,
      finished_at: BEGAN + 12,
      exceptions_count: 0,
      files: [],
      ...more,
    }
  }
}

/** All that a run can hold: parallel branches, a loop with rounds, retries, agent logs, a failure that is handled, a silence. */
export function everything(): Story {
  const story = new Story().begin({ topic: 'tea' })
  const llm = { id: 'llm-x', node_id: 'llm', node_type: 'llm', title: 'Draft', index: 9, predecessor_node_id: 'left' }
  story
    .node('start', 'Start', { node_type: 'start', took: 0.1 })
    .node('left', 'Left branch', { predecessor_node_id: 'start', took: 2 })
    .node('right', 'Right branch', { predecessor_node_id: 'start', took: 1, status: 'exception', error: 'Off by one.' })
    .say('loop_started', {
      id: 'loop-x',
      node_id: 'loop',
      node_type: 'loop',
      title: 'Until good',
      created_at: BEGAN + 3,
    })
    .node('try', 'Try', { loop_id: 'loop', at: 3 })
    .say('loop_next', { id: 'loop-x', node_id: 'loop', index: 1 })
    .node('try', 'Try', { loop_id: 'loop', at: 3 })
    .say('loop_completed', { id: 'loop-x', node_id: 'loop', status: 'succeeded', elapsed_time: 1.2, steps: 2 })
    .say('node_started', { ...llm, created_at: BEGAN + 9, inputs: { prompt: 'Write of tea.' } })
    .say('agent_log', {
      node_execution_id: 'llm-x',
      node_id: 'llm',
      id: 'l-1',
      label: 'ROUND 1',
      status: 'success',
      data: {},
    })
    .say('node_retry', { ...llm, error: 'Rate limit.', elapsed_time: 0.5, retry_index: 1 })
    .say('text_chunk', { text: 'Green.' })
    .say('node_finished', {
      ...llm,
      created_at: BEGAN + 9,
      status: 'succeeded',
      elapsed_time: 2,
      outputs: { text: 'Green.' },
    })
  return story
}

/** A platform of one workflow app that plays what it is told to, and answers operation 12 from `details`. */
export class WorkflowPlatform {
  play: (body: Data) => Play = () => ({ refusal: { status: 404, body: { code: 'not_found', message: 'No play.' } } })
  parameters: Data = {
    user_input_form: [
      { 'text-input': { label: 'Topic', variable: 'topic', required: true } },
      { select: { label: 'Tone', variable: 'tone', options: ['plain', 'grand'], default: 'plain' } },
      {
        file: {
          label: 'Picture',
          variable: 'picture',
          allowed_file_types: ['image'],
          allowed_file_upload_methods: ['remote_url'],
        },
      },
    ],
  }
  /** By workflow_run_id: the record, or a refusal. */
  readonly details = new Map<string, Data | { status: number; body: unknown }>()

  readonly script: Script = (seen, response) => {
    const path = seen.path.replace(/^\/v1/, '').split('?')[0] ?? ''
    if (seen.method === 'GET' && path === '/parameters') return refuse(response, 200, this.parameters)
    if (seen.method === 'POST' && path === '/workflows/run') {
      const { frames = [], stop = 'closes', refusal } = this.play(JSON.parse(seen.body) as Data)
      return refusal ? refuse(response, refusal.status, refusal.body) : stream(response, frames, stop)
    }
    const id = /^\/workflows\/run\/([^/]+)$/.exec(path)?.[1]
    const known = id === undefined ? undefined : this.details.get(id)
    if (known && 'body' in known) return refuse(response, known.status as number, known.body)
    if (known) return refuse(response, 200, known)
    return refuse(response, 404, { code: 'not_found', message: 'Workflow run not found.', status: 404 })
  }
}
