import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { openStream, type RecordedRequest, sendError, toEventBlock } from '#support/platforms/scriptedPlatform.ts'

export const PING = 'event: ping\n\n'

/** A platform that keeps workflow runs as the released one does: a run goes on without its readers. */
export class WorkflowHost {
  readonly workflow_run_id = randomUUID()
  readonly task_id = randomUUID()
  readonly #messageIds = { conversation_id: randomUUID(), message_id: randomUUID() }
  readonly requests: RecordedRequest[] = []
  /** What each further reader of the run gets. */
  onEvents: (response: ServerResponse, query: URLSearchParams) => void | Promise<void> = (response) =>
    void response.destroy()
  onRun: (response: ServerResponse) => void | Promise<void> = (response) => void response.destroy()
  onForm: () => void = () => undefined
  /** The answer in the message list; null for none. */
  keptAnswer: string | null = null

  event(event: string, data: Record<string, unknown> = {}, more: Record<string, unknown> = {}): string {
    const { workflow_run_id, task_id } = this
    return toEventBlock({ event, workflow_run_id, task_id, ...more, data })
  }

  started(reason = 'initial'): string {
    return this.event('workflow_started', { id: this.workflow_run_id, workflow_id: 'w', inputs: { a: 1 }, reason })
  }

  node(phase: 'started' | 'finished', id: string, more: object = {}): string {
    return this.event(`node_${phase}`, {
      id,
      node_id: `node-${id}`,
      node_type: 'llm',
      title: id,
      ...(phase === 'finished' && { status: 'succeeded', outputs: { from: id } }),
      ...more,
    })
  }

  form(form_id: string): string {
    return this.event('human_input_required', { form_id, node_id: 'node-human', form_token: 'token', inputs: [] })
  }

  paused(): string {
    return this.event('workflow_paused', { paused_nodes: ['node-human'], reasons: [], status: 'paused', outputs: {} })
  }

  finished(more: Record<string, unknown> = {}): string {
    const { workflow_run_id: id } = this
    return this.event('workflow_finished', { id, status: 'succeeded', outputs: { text: 'done' }, ...more })
  }

  message(answer: string): string {
    return toEventBlock({ event: 'message', ...this.#messageIds, task_id: this.task_id, answer })
  }

  messageEnd(): string {
    return toEventBlock({ event: 'message_end', ...this.#messageIds, task_id: this.task_id, metadata: {} })
  }

  script = (seen: RecordedRequest, response: ServerResponse): void | Promise<void> => {
    this.requests.push(seen)
    const { pathname, searchParams } = new URL(seen.path, 'http://platform')
    if (seen.method === 'POST' && ['/v1/workflows/run', '/v1/chat-messages'].includes(pathname))
      return this.onRun(response)
    if (pathname === `/v1/workflow/${this.workflow_run_id}/events`) return this.onEvents(response, searchParams)
    if (pathname === '/v1/messages' && this.keptAnswer !== null)
      return sendError(response, 200, { data: [{ id: this.#messageIds.message_id, answer: this.keptAnswer }] })
    return sendError(response, 404, { code: 'not_found', message: 'Workflow run not found', status: 404 })
  }

  get eventRequests(): URLSearchParams[] {
    return this.requests
      .filter(({ path }) => path.includes('/events?'))
      .map(({ path }) => new URL(path, 'http://platform').searchParams)
  }
}

/** Sends blocks, and ends the connection as the platform does, or without its end. */
export function stream(response: ServerResponse, blocks: string[], end: 'closes' | 'breaks' | 'stays'): void {
  openStream(response)
  response.write(blocks.join(''), () => {
    if (end === 'closes') response.end()
    if (end === 'breaks') response.destroy()
  })
}
