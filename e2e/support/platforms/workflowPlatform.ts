import { randomUUID } from 'node:crypto'
import { toEventBlock, sendError, type PlatformScript, type StreamEnd, streamBlocks } from './scriptedPlatform.ts'

type EventData = Record<string, unknown>

/** Scripted result of a workflow run: its frames and its end, or a refusal. */
export interface ScriptedRun {
  frames?: string[]
  stop?: StreamEnd
  refusal?: { status: number; body: unknown }
}

const STARTED_AT_S = 1_795_000_000

/** The frames of one run, written down as they would come. */
export class RunScript {
  readonly id = randomUUID()
  readonly frames: string[] = []
  #index = 0

  addEvent(event: string, data: EventData = {}): this {
    this.frames.push(toEventBlock({ event, task_id: 't-1', workflow_run_id: this.id, data }))
    return this
  }

  addStart(inputs: EventData = {}): this {
    return this.addEvent('workflow_started', { id: this.id, workflow_id: 'w-1', inputs, created_at: STARTED_AT_S })
  }

  /** `at` and `took` are seconds. What a node was given and gave stands in `more`. */
  addNode(node_id: string, title: string, { at = 0, took = 0.5, status = 'succeeded', ...more }: EventData = {}): this {
    const same = { id: `${node_id}-${this.#index}`, node_id, title, node_type: 'code', index: ++this.#index, ...more }
    this.addEvent('node_started', { ...same, created_at: STARTED_AT_S + Number(at) })
    return this.addEvent('node_finished', {
      ...same,
      status,
      elapsed_time: took,
      created_at: STARTED_AT_S + Number(at),
    })
  }

  addEnd(status = 'succeeded', more: EventData = {}): this {
    return this.addEvent('workflow_finished', this.toRunDetail(status, more))
  }

  /** The reply of operation 12. */
  toRunDetail(status: string, more: EventData = {}): EventData {
    return {
      id: this.id,
      workflow_id: 'w-1',
      status,
      outputs: { text: 'Green.' },
      error: null,
      elapsed_time: 12,
      total_tokens: 42,
      total_steps: this.#index,
      created_at: STARTED_AT_S,
      finished_at: STARTED_AT_S + 12,
      exceptions_count: 0,
      files: [],
      ...more,
    }
  }
}

/** All that a run can hold: parallel branches, a loop with rounds, retries, agent logs, a failure that is handled, a silence. */
export function createFullRun(): RunScript {
  const story = new RunScript().addStart({ topic: 'tea' })
  const llm = { id: 'llm-x', node_id: 'llm', node_type: 'llm', title: 'Draft', index: 9, predecessor_node_id: 'left' }
  story
    .addNode('start', 'Start', { node_type: 'start', took: 0.1 })
    .addNode('left', 'Left branch', { predecessor_node_id: 'start', took: 2 })
    .addNode('right', 'Right branch', {
      predecessor_node_id: 'start',
      took: 1,
      status: 'exception',
      error: 'Off by one.',
    })
    .addEvent('loop_started', {
      id: 'loop-x',
      node_id: 'loop',
      node_type: 'loop',
      title: 'Until good',
      created_at: STARTED_AT_S + 3,
    })
    .addNode('try', 'Try', { loop_id: 'loop', at: 3 })
    .addEvent('loop_next', { id: 'loop-x', node_id: 'loop', index: 1 })
    .addNode('try', 'Try', { loop_id: 'loop', at: 3 })
    .addEvent('loop_completed', { id: 'loop-x', node_id: 'loop', status: 'succeeded', elapsed_time: 1.2, steps: 2 })
    .addEvent('node_started', { ...llm, created_at: STARTED_AT_S + 9, inputs: { prompt: 'Write of tea.' } })
    .addEvent('agent_log', {
      node_execution_id: 'llm-x',
      node_id: 'llm',
      id: 'l-1',
      label: 'ROUND 1',
      status: 'success',
      data: {},
    })
    .addEvent('node_retry', { ...llm, error: 'Rate limit.', elapsed_time: 0.5, retry_index: 1 })
    .addEvent('text_chunk', { text: 'Green.' })
    .addEvent('node_finished', {
      ...llm,
      created_at: STARTED_AT_S + 9,
      status: 'succeeded',
      elapsed_time: 2,
      outputs: { text: 'Green.' },
    })
  return story
}

/** A platform of one workflow app that plays what it is told to, and answers operation 12 from `details`. */
export class WorkflowPlatform {
  nextRun: (body: EventData) => ScriptedRun = () => ({
    refusal: { status: 404, body: { code: 'not_found', message: 'No play.' } },
  })
  parameters: EventData = {
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
  readonly runDetails = new Map<string, EventData | { status: number; body: unknown }>()

  readonly script: PlatformScript = (seen, response) => {
    const path = seen.path.replace(/^\/v1/, '').split('?')[0] ?? ''
    if (seen.method === 'GET' && path === '/parameters') return sendError(response, 200, this.parameters)
    if (seen.method === 'POST' && path === '/workflows/run') {
      const { frames = [], stop = 'closes', refusal } = this.nextRun(JSON.parse(seen.body) as EventData)
      return refusal ? sendError(response, refusal.status, refusal.body) : streamBlocks(response, frames, stop)
    }
    const id = /^\/workflows\/run\/([^/]+)$/.exec(path)?.[1]
    const known = id === undefined ? undefined : this.runDetails.get(id)
    if (known && 'body' in known) return sendError(response, known.status as number, known.body)
    if (known) return sendError(response, 200, known)
    return sendError(response, 404, { code: 'not_found', message: 'Workflow run not found.', status: 404 })
  }
}
