import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { openStream, type PlatformScript, type RecordedRequest, sendError, toEventBlock } from './scriptedPlatform.ts'

/** Seconds for which the released 1.16.0 and 1.16.1 keep each of their three keys after a pause. */
const LIFETIMES_S = { stopped: 600, commands: 3600, pending: 3600 } as const
type PauseKey = keyof typeof LIFETIMES_S

/**
 * The keys that the released 1.16.0 and 1.16.1 set at the pause of a workflow, and by which they abort it when it goes on: the
 * flag of the task and its command with its mark. Both must be gone, or the run does not succeed.
 */
class PauseKeys {
  #setAt = -Infinity
  readonly #removed = new Set<PauseKey>()

  set(now: number): void {
    this.#setAt = now
    this.#removed.clear()
  }

  remove(...keys: PauseKey[]): void {
    for (const key of keys) this.#removed.add(key)
  }

  /** The error of the record of a run that goes on now; null if it is not aborted. */
  findAbortError(now: number): string | null {
    const has = (key: PauseKey) => !this.#removed.has(key) && now < this.#setAt + LIFETIMES_S[key] * 1000
    if (has('stopped')) return 'Aborted: Client response stream closed before app execution completed'
    return has('commands') && has('pending') ? 'Aborted: App task was stopped' : null
  }
}

/** An answer as the platform received it. */
export interface ReceivedAnswer {
  inputs: Record<string, unknown>
  action: string
  user: string
}

/**
 * A platform of one workflow app whose runs stop at a human input form, as release 1.16 plays it: the run pauses, the form
 * is read and answered by its token, once, and what follows is told by the run's record and its events.
 */
export class FormPlatform {
  readonly form_id = randomUUID()
  readonly form_token = `tok-${randomUUID().slice(0, 8)}`
  readonly workflow_run_id = randomUUID()
  readonly answers: ReceivedAnswer[] = []
  readonly #followers = new Set<ServerResponse>()
  /** What the form's token opens; null for a form that is delivered by e-mail. */
  hasToken = true
  state: 'open' | 'submitted' | 'expired' = 'open'
  /** What happens to the first answer: it is accepted, or accepted and its reply is lost. */
  losesReply = false
  /** Whether the run goes on once its form is answered, or a busy platform lets it wait. */
  resumesRun = true
  /** `1.16.1`: it names itself so, and aborts a workflow that goes on within an hour after its pause. */
  release: '1.16.1' | null = null
  /** Whether an aborted run gets to its end before it notices. */
  reachesEnd = true
  readonly pauseKeys = new PauseKeys()
  #abortError: string | null = null
  /** Runs after an answer arrived and before it is judged. */
  holdBack: () => Promise<void> = () => Promise.resolve()
  content = 'Please check: **tea**\n\n{{#$output.comment#}}\n\nThe tone: {{#$output.tone#}}'
  inputs: Record<string, unknown>[] = [
    { output_variable_name: 'comment', type: 'paragraph', default: { type: 'constant', selector: [], value: 'fine' } },
    {
      output_variable_name: 'tone',
      type: 'select',
      option_source: { type: 'constant', selector: [], value: ['plain', 'warm'] },
    },
  ]
  actions = [
    { id: 'approve', title: 'Approve', button_style: 'primary' },
    { id: 'reject', title: 'Reject', button_style: 'default' },
  ]
  expiration_time: number | null = Math.floor(Date.now() / 1000) + 3 * 24 * 3600

  get definition(): Record<string, unknown> {
    return {
      form_id: this.form_id,
      node_id: 'human',
      node_title: 'Ask a person',
      form_content: this.content,
      inputs: this.inputs,
      actions: this.actions,
      display_in_ui: true,
      form_token: this.hasToken ? this.form_token : null,
      approval_channels: ['console'],
      resolved_default_values: {},
      expiration_time: this.expiration_time,
    }
  }

  /** The events of a run up to its pause. */
  get pausedFrames(): string[] {
    const { workflow_run_id } = this
    return [
      this.#toEvent('workflow_started', { id: workflow_run_id, workflow_id: 'w-1', inputs: {}, reason: 'initial' }),
      this.#toEvent('node_started', { id: 'e-1', node_id: 'human', node_type: 'human-input', title: 'Ask a person' }),
      this.#toEvent('human_input_required', this.definition),
      this.#toEvent('workflow_paused', {
        workflow_run_id,
        paused_nodes: ['human'],
        outputs: {},
        reasons: [{ TYPE: 'human_input_required', ...this.definition }],
        status: 'paused',
      }),
    ]
  }

  readonly script: PlatformScript = async (seen, response) => {
    if (this.release) response.setHeader('x-version', this.release)
    const path = seen.path.replace(/^\/v1/, '').split('?')[0] ?? ''
    if (seen.method === 'GET' && path === '/parameters') return sendError(response, 200, { user_input_form: [] })
    if (seen.method === 'POST' && /^\/(workflows\/run|chat-messages)$/.test(path)) {
      const { response_mode } = JSON.parse(seen.body) as { response_mode?: string }
      if (this.release && (path === '/workflows/run' || response_mode === 'blocking')) this.pauseKeys.set(Date.now())
      openStream(response)
      return void response.end(this.pausedFrames.join(''))
    }
    if (seen.method === 'GET' && path === `/workflows/run/${this.workflow_run_id}`)
      return sendError(response, 200, this.runDetail)
    if (seen.method === 'GET' && path === `/workflow/${this.workflow_run_id}/events`) return this.#follow(response)
    if (path === `/form/human_input/${this.form_token}`) {
      if (seen.method === 'POST') return this.#submit(seen, response)
      if (this.state !== 'open') return this.#refuse(response)
      const { form_content, inputs, resolved_default_values, expiration_time, actions } = this.definition
      const reply = { form_content, inputs, resolved_default_values, user_actions: actions, expiration_time }
      return sendError(response, 200, reply)
    }
    return sendError(response, 404, { code: 'not_found', message: 'Not found.', status: 404 })
  }

  /** Somebody answers on the platform, without the console. */
  answerAtPlatform(): void {
    this.state = 'submitted'
    this.#resume()
  }

  /** The record of operation 12. */
  get runDetail(): Record<string, unknown> {
    const isOver = this.state !== 'open' && this.resumesRun
    const isComplete = isOver && (this.#abortError === null || this.reachesEnd)
    return {
      id: this.workflow_run_id,
      workflow_id: 'w-1',
      status: isOver ? (this.#abortError === null ? 'succeeded' : 'stopped') : 'paused',
      inputs: '{}',
      outputs: isComplete ? { comment: this.answers[0]?.inputs.comment ?? 'elsewhere' } : {},
      error: this.#abortError,
      total_steps: 3,
      total_tokens: 0,
      elapsed_time: isOver ? 0.07 : 0,
      created_at: 1_795_361_513,
      finished_at: isOver ? 1_795_361_514 : null,
    }
  }

  async #submit(seen: RecordedRequest, response: ServerResponse): Promise<void> {
    const answer = JSON.parse(seen.body) as ReceivedAnswer
    await this.holdBack()
    if (this.state !== 'open') return this.#refuse(response)
    const missing = this.inputs
      .map((field) => String(field.output_variable_name))
      .filter((name) => !(name in answer.inputs))
    if (missing.length > 0)
      return sendError(response, 400, {
        code: 'invalid_form_data',
        message: `Missing required inputs: ${missing.join(', ')}`,
        status: 400,
      })
    this.state = 'submitted'
    this.answers.push(answer)
    this.#resume()
    if (this.losesReply) return void response.destroy()
    sendError(response, 200, {})
  }

  /** The events of the run so far, and those to come: a reader stays until the run is over. */
  #follow(response: ServerResponse): void {
    openStream(response)
    response.write(`event: ping\n\n${this.pausedFrames.join('')}`)
    if (this.state === 'submitted' && this.resumesRun) return void response.end(this.#resumedFrames.join(''))
    this.#followers.add(response)
    response.on('close', () => this.#followers.delete(response))
  }

  #resume(): void {
    if (!this.resumesRun) return
    this.#abortError = this.pauseKeys.findAbortError(Date.now())
    for (const follower of this.#followers) follower.end(this.#resumedFrames.join(''))
    this.#followers.clear()
  }

  get #resumedFrames(): string[] {
    const { workflow_run_id } = this
    const node = { id: 'e-1', node_id: 'human', node_type: 'human-input', title: 'Ask a person' }
    const { inputs, action } = this.answers[0] ?? { inputs: { comment: 'elsewhere' }, action: 'approve' }
    const title = this.actions.find(({ id }) => id === action)?.title
    return [
      this.#toEvent('workflow_started', { id: workflow_run_id, workflow_id: 'w-1', reason: 'resumption' }),
      this.#toEvent('node_started', node),
      ...(this.#abortError === null
        ? [
            this.#toEvent('node_finished', {
              ...node,
              status: 'succeeded',
              outputs: {
                ...inputs,
                __action_id: action,
                __action_value: title,
                __rendered_content: 'Please check: tea',
              },
              elapsed_time: 0.01,
            }),
          ]
        : []),
      this.#toEvent('workflow_finished', {
        ...this.runDetail,
        ...(this.#abortError !== null && { outputs: {}, error: 'Stopped by user.' }),
      }),
    ]
  }

  #refuse(response: ServerResponse): void {
    const message =
      this.state === 'expired'
        ? `This form has expired, form_id=${this.form_id}`
        : `This form has already been submitted by another user, form_id=${this.form_id}`
    sendError(response, 412, { code: `human_input_form_${this.state}`, message, status: 412 })
  }

  #toEvent(event: string, data: Record<string, unknown>): string {
    return toEventBlock({ event, workflow_run_id: this.workflow_run_id, task_id: 't-1', data })
  }
}
