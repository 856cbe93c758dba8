import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { RunStats, Alerts } from '#contract/console/stats.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toEventBlock,
  toMessageBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

/** The usage that real platforms send for a stopped answer. */
const ZERO_USAGE = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  total_price: '0E-7',
  currency: 'USD',
  latency: 2.4,
}

/** Longer than the row of a run takes to be stored: by so much the times of frames and of stops differ. */
const ROW_STORED_MS = 150

/** A usage as platforms send it that count tokens also after a stop. */
const COUNTED_USAGE = { ...ZERO_USAGE, completion_tokens: 9, total_tokens: 12, total_price: '0.0000210' }
/** A usage of zeros at the price of a model: nothing was measured. */
const UNMEASURED_USAGE = { ...ZERO_USAGE, prompt_unit_price: '0.001', completion_unit_price: '0.002' }

describe('the end of a run', () => {
  const bench = TestConsole.forFile()
  let workflow_run_id = ''
  let ids = createAnswerIds()
  /** The blocks before the pause of the script, and those after it, when the stream goes on. */
  let before: string[] = []
  let after: string[] = []
  let released = Promise.withResolvers<void>()
  /** How long the platform goes on after a stop. */
  let endDelayMs = ROW_STORED_MS
  /** How long it takes to answer a stop. */
  let replyDelayMs = 0
  beforeEach(() => {
    endDelayMs = ROW_STORED_MS
    replyDelayMs = 0
    workflow_run_id = randomUUID()
    ids = createAnswerIds()
    ;[before, after] = [[], []]
    released = Promise.withResolvers<void>()
    released.resolve()
    bench.platform.requests.length = 0
    bench.platform.script = async (seen, response) => {
      if (seen.path.endsWith('/stop')) {
        setTimeout(() => released.resolve(), endDelayMs)
        setTimeout(() => sendError(response, 200, { result: 'success' }), replyDelayMs)
        return
      }
      if (seen.method === 'GET')
        return sendError(response, 404, { code: 'not_found', message: 'Not found.', status: 404 })
      openStream(response)
      for (const block of before) response.write(block)
      await released.promise
      for (const block of after) response.write(block)
      response.end()
    }
  })

  const workflowEvent = (event: string, data: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    toEventBlock({ event, task_id: ids.task_id, workflow_run_id, ...more, data: { id: workflow_run_id, ...data } })
  const chatflowEvent = (event: string, data: Record<string, unknown>) =>
    workflowEvent(event, data, { conversation_id: ids.conversation_id, message_id: ids.message_id })
  const started = { workflow_id: 'w', inputs: { query: 'tea' }, created_at: 1_795_361_504 }
  const startNode = { id: 'e1', node_id: 'llm', node_type: 'llm', title: 'LLM', index: 1 }
  const aborted = {
    status: 'failed',
    outputs: {},
    error: 'Aborted: User requested stop',
    elapsed_time: 2.65,
    total_tokens: 0,
    total_steps: 2,
    exceptions_count: 0,
  }
  const messageEnd = (usage: object) =>
    toEventBlock({ event: 'message_end', ...ids, id: ids.message_id, metadata: { usage, retriever_resources: [] } })

  type StoredRun = Run & { answer: AnswerState & RunState }
  const read = (id: string) => bench.json<StoredRun>('GET', `/api/runs/${id}`)
  const start = async (kind: 'chat' | 'workflow', id: string = randomUUID()) => {
    const body = { inputs: { query: 'tea' }, user: 'mira', response_mode: 'streaming' }
    const path = kind === 'chat' ? 'chat-messages' : 'workflows/run'
    const request = kind === 'chat' ? { ...body, query: 'SLOW LONG' } : body
    const response = bench.fetch('POST', `/api/keys/${bench.keys[kind]}/${path}`, request, { 'run-id': id })
    return { id, end: async () => (await (await response).text(), read(id)) }
  }
  /** Waits until the frames before the pause are stored. */
  const whenFramesStored = async (id: string, count: number) => {
    for (;;) {
      const frames = await bench.fetch('GET', `/api/runs/${id}/frames`)
      if (frames.ok && ((await frames.json()) as { data: unknown[] }).data.length >= count) return
    }
  }
  const stop = (kind: 'chat' | 'workflow', user = 'mira') =>
    bench.json('POST', `/api/keys/${bench.keys[kind]}/${STOP_PATHS[kind](ids.task_id)}`, { user })
  const runAndStop = async (kind: 'chat' | 'workflow', user?: string) => {
    released = Promise.withResolvers<void>()
    const run = await start(kind)
    await whenFramesStored(run.id, before.length)
    await stop(kind, user)
    return run.end()
  }

  describe('after our stop', () => {
    it('of a chat is stopped, although its stream ends as a complete one; its zeros are not given', async () => {
      before = [toMessageBlock(ids, 'word0 '), toMessageBlock(ids, 'word1 ')]
      after = [messageEnd(ZERO_USAGE)]
      const run = await runAndStop('chat')
      expect(run).toMatchObject({
        status: 'stopped',
        total_tokens: null,
        total_price: null,
        currency: null,
        problem: null,
        stop: { after_frame: 2, had_effect: true, reason: null },
        answer: { text: 'word0 word1 ' },
      })
      expect(run.stop?.person).toBe(run.person)
      const data = await bench.list<Run>(`/api/runs?status=stopped`)
      expect(data.find(({ id }) => id === run.id)?.stop).toEqual(run.stop)
      const turns = await bench.json<{ data: Run[] }>(
        'GET',
        `/api/conversations/${ids.conversation_id}/runs?workspace=${bench.workspace}`,
      )
      expect(turns.data).toMatchObject([{ id: run.id, status: 'stopped', stop: { had_effect: true } }])
    })

    it('of a workflow is stopped, in both forms of its stream', async () => {
      before = [workflowEvent('workflow_started', started), workflowEvent('node_started', startNode)]
      after = [workflowEvent('workflow_finished', aborted)]
      expect(await runAndStop('workflow')).toMatchObject({
        status: 'stopped',
        total_tokens: null,
        stop: { after_frame: 2, had_effect: true },
      })
      ids = createAnswerIds()
      before = before.map((block) => block.replace(/"task_id":"[^"]*"/, `"task_id":"${ids.task_id}"`))
      after = [workflowEvent('workflow_finished', { ...aborted, status: 'stopped', error: 'Stopped by user.' })]
      expect(await runAndStop('workflow')).toMatchObject({ status: 'stopped', stop: { had_effect: true } })
      const { failures } = await bench.json<Alerts>('GET', '/api/alerts')
      expect(failures.filter(({ message }) => message.includes('Aborted'))).toEqual([])
    })

    it('of a chatflow is stopped: message_end may follow its workflow, or not come at all', async () => {
      before = [chatflowEvent('workflow_started', started), toMessageBlock(ids, 'word0 ')]
      after = [chatflowEvent('workflow_finished', aborted), messageEnd(ZERO_USAGE)]
      expect(await runAndStop('chat')).toMatchObject({ status: 'stopped', total_tokens: null, total_price: null })
      ids = createAnswerIds()
      before = [chatflowEvent('workflow_started', started), toMessageBlock(ids, 'word0 ')]
      after = [chatflowEvent('workflow_finished', aborted)]
      expect(await runAndStop('chat')).toMatchObject({ status: 'stopped', stop: { had_effect: true } })
    })

    it('of a chat is stopped also where the platform counts its tokens; later ends are the platform’s own', async () => {
      before = [toMessageBlock(ids, 'word0 ')]
      after = [toMessageBlock(ids, 'word1 '), messageEnd(COUNTED_USAGE)]
      expect(await runAndStop('chat')).toMatchObject({
        status: 'stopped',
        total_tokens: 12,
        total_price: '0.0000210',
        stop: { had_effect: true },
        answer: { text: 'word0 word1 ' },
      })
      ids = createAnswerIds()
      before = [toMessageBlock(ids, 'word0 ')]
      after = [messageEnd(COUNTED_USAGE)]
      endDelayMs = 2_300
      expect(await runAndStop('chat')).toMatchObject({ status: 'succeeded', stop: { had_effect: false, reason: null } })
    })

    it('is stopped also where the platform ends the answer long after the request, and replies to the stop after that', async () => {
      before = [toMessageBlock(ids, 'word0 ')]
      after = [messageEnd(COUNTED_USAGE)]
      ;[endDelayMs, replyDelayMs] = [2_300, 2_500]
      expect(await runAndStop('chat')).toMatchObject({ status: 'stopped', stop: { had_effect: true } })
    })

    it('of a chatflow that succeeded all the same is its own, also without tokens', async () => {
      before = [chatflowEvent('workflow_started', started), toMessageBlock(ids, 'word0 ')]
      after = [
        messageEnd(ZERO_USAGE),
        chatflowEvent('workflow_finished', { ...aborted, status: 'succeeded', error: null }),
      ]
      expect(await runAndStop('chat')).toMatchObject({ status: 'succeeded', stop: { had_effect: false } })
    })

    it('that the platform ended by itself is not ours', async () => {
      before = [workflowEvent('workflow_started', started)]
      after = [workflowEvent('workflow_finished', { ...aborted, status: 'stopped', error: STEP_LIMIT })]
      expect(await runAndStop('workflow')).toMatchObject({
        status: 'stopped',
        error_message: STEP_LIMIT,
        stop: { had_effect: false },
      })
    })

    it('for another user is the platform’s own, and the stop had no effect', async () => {
      before = [toMessageBlock(ids, 'word0 ')]
      after = [messageEnd({ ...ZERO_USAGE, total_tokens: 12, completion_tokens: 12, total_price: '0.01' })]
      expect(await runAndStop('chat', 'somebody else')).toMatchObject({
        status: 'succeeded',
        total_tokens: 12,
        stop: { had_effect: false, reason: 'other_user', after_frame: 1 },
      })
    })

    it('that came too late is the platform’s own, whatever its usage', async () => {
      after = [toMessageBlock(ids, 'word0 '), messageEnd(ZERO_USAGE)]
      const run = await (await start('chat')).end()
      await stop('chat')
      expect(await read(run.id)).toMatchObject({
        status: 'succeeded',
        total_tokens: 0,
        stop: { had_effect: false, reason: 'ended' },
      })
    })
  })

  describe('without our stop', () => {
    it('of an answer that was not measured has no figures, and none in sums', async () => {
      const sum = async () => (await bench.json<RunStats>('GET', '/api/stats?days=1')).total
      const beforeRun = await sum()
      after = [toMessageBlock(ids, 'word0 '), messageEnd(UNMEASURED_USAGE)]
      const run = await (await start('chat')).end()
      expect(run).toMatchObject({
        status: 'succeeded',
        total_tokens: null,
        total_price: null,
        currency: null,
        error_message: null,
        stop: null,
        // The stream stays as it came.
        answer: { usage: { total_tokens: 0 } },
      })
      expect((await sum()).without_usage).toBe(beforeRun.without_usage + 1)
    })

    it('of a workflow that was stopped has the platform’s reason, unless that is a stop', async () => {
      after = [
        workflowEvent('workflow_started', started),
        workflowEvent('workflow_finished', { ...aborted, status: 'stopped', error: STEP_LIMIT }),
      ]
      const limited = await (await start('workflow')).end()
      expect(limited).toMatchObject({ status: 'stopped', error_message: STEP_LIMIT, total_tokens: null, stop: null })
      const listed = await bench.list<Run>('/api/runs?status=stopped')
      expect(listed.find(({ id }) => id === limited.id)).toMatchObject({ error_message: STEP_LIMIT, stop: null })
      after = [workflowEvent('workflow_started', started), workflowEvent('workflow_finished', aborted)]
      expect(await (await start('workflow')).end()).toMatchObject({
        status: 'stopped',
        error_message: null,
        problem: null,
        stop: null,
      })
    })
  })

  it('of an answer before the workflow of a chatflow is the answer’s: the workflow that follows is invented', async () => {
    const invented = [
      workflowEvent('workflow_started', { ...started, inputs: {} }),
      workflowEvent('workflow_finished', {
        status: 'failed',
        outputs: null,
        error: 'Workflow stream ended without a terminal event',
        total_tokens: 0,
        total_steps: 0,
        exceptions_count: 1,
      }),
    ]
    after = [toMessageBlock(ids, 'At nine.'), messageEnd(ZERO_USAGE), ...invented]
    expect(await (await start('chat')).end()).toMatchObject({
      status: 'succeeded',
      problem: null,
      workflow_run_id: null,
      answer: { text: 'At nine.', run_after_end: { status: 'failed' } },
    })
    const error = { code: 'provider_not_initialize', message: 'No model.', status: 400 }
    after = [toEventBlock({ event: 'error', ...ids, ...error }), ...invented]
    expect(await (await start('chat')).end()).toMatchObject({ status: 'failed', answer: { problem: error } })
    expect(bench.platform.requests.filter(({ method }) => method === 'GET')).toEqual([])
  })

  it('of inputs that the platform refused in a stream is refused: no failure, and no question for a run', async () => {
    after = [
      'event: ping\n\n',
      workflowEvent('workflow_started', { ...started, inputs: {} }),
      workflowEvent('workflow_finished', {
        status: 'failed',
        outputs: null,
        error: 'query is required in input form',
        elapsed_time: 0,
        total_tokens: 0,
        total_steps: 0,
        created_by: {},
        exceptions_count: 1,
      }),
    ]
    const stats = () => bench.json<RunStats>('GET', '/api/stats?days=1')
    const failedBefore = (await stats()).total.failed
    for (const kind of ['workflow', 'chat'] as const) {
      const run = await (await start(kind)).end()
      expect(run).toMatchObject({
        status: 'refused',
        problem: { kind: 'refused', message: 'query is required in input form' },
      })
      expect(run.problem?.upstream).toBeUndefined()
      expect((await bench.fetch('POST', `/api/runs/${run.id}/reconcile`, {})).status).toBe(409)
    }
    expect(bench.platform.requests.filter(({ method }) => method === 'GET')).toEqual([])
    expect((await stats()).total.failed).toBe(failedBefore)
    const { failures } = await bench.json<Alerts>('GET', '/api/alerts')
    expect(failures.filter(({ message }) => message.includes('input form'))).toEqual([])
  })
})

const STEP_LIMIT = 'Aborted: Maximum execution steps exceeded: 501 > 500'

const STOP_PATHS = {
  chat: (task: string) => `chat-messages/${task}/stop`,
  workflow: (task: string) => `workflows/tasks/${task}/stop`,
}
