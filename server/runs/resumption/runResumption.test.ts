import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { openStream, sendError, toEventBlock } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { PING, stream, WorkflowHost } from './workflowHost.testing.ts'

type WorkflowRun = Run & { answer: RunState }

describe('a run that the platform still has', () => {
  const bench = TestConsole.forFile()
  let host: WorkflowHost
  beforeEach(() => {
    host = new WorkflowHost()
    bench.platform.script = host.script
  })

  const read = (id: string) => bench.json<WorkflowRun>('GET', `/api/runs/${id}`)
  const start = async (kind: 'workflow' | 'chat' = 'workflow'): Promise<string> => {
    const id = randomUUID()
    const body = { inputs: { a: 1 }, user: 'mira', response_mode: 'streaming', ...(kind === 'chat' && { query: 'q' }) }
    const headers = { 'run-id': id, prefer: 'respond-async' }
    const path = kind === 'chat' ? 'chat-messages' : 'workflows/run'
    const response = await bench.fetch('POST', `/api/keys/${bench.keys[kind]}/${path}`, body, headers)
    expect(response.status).toBe(202)
    return id
  }
  const untilStatus = async (id: string, status: string): Promise<WorkflowRun> => {
    await expect.poll(async () => (await read(id)).status).toBe(status)
    return read(id)
  }
  const listEvents = async (id: string): Promise<string[]> => {
    const data = await bench.list<Frame>(`/api/runs/${id}/frames?limit=500`)
    expect(data.map(({ seq }) => seq)).toEqual(data.map((_, index) => index + 1))
    return data.map(({ block }) => {
      const event = /^data: (.*)$/m.exec(block)?.[1]
      if (event === undefined) return block.trim()
      const { event: name, data: fields } = JSON.parse(event) as { event: string; data?: { id?: string } }
      return name.startsWith('node_') ? `${name} ${fields?.id}` : name
    })
  }
  /** What a server that died has stored of a run, its frames 100 ms apart. */
  const insertRun = async (status: string, blocks: string[]): Promise<string> => {
    const id = randomUUID()
    for (const [index, block] of blocks.entries())
      await bench.query('INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, $2, $3, 10, $4)', [
        id,
        index + 1,
        (index + 1) * 100,
        block.trimEnd(),
      ])
    await bench.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, end_user, response_mode, server_id, created_at, request,
         workflow_run_id)
       VALUES ($1, 'workflows.run', $2, $3, $4, 'mira', 'streaming', $5, now(), '{"user": "mira"}', $6)`,
      [id, status, bench.workspace, bench.keys.workflow, randomUUID(), host.workflow_run_id],
    )
    return id
  }

  it('is taken up again after its stream was cut, and what the snapshot repeats is not counted twice', async () => {
    const half = () => [PING, host.started(), host.node('started', 'one'), host.node('finished', 'one')]
    host.onRun = (response) => stream(response, half(), 'breaks')
    host.onEvents = (response) =>
      stream(
        response,
        [
          PING,
          host.started(),
          host.node('started', 'one', { inputs: null }),
          host.node('finished', 'one', { outputs: null }),
          host.node('started', 'two'),
          host.node('finished', 'two'),
          host.event('text_chunk', { text: 'end' }),
          host.finished(),
        ],
        'closes',
      )
    const run = await untilStatus(await start(), 'succeeded')
    expect(await listEvents(run.id)).toEqual([
      'event: ping',
      'workflow_started',
      'node_started one',
      'node_finished one',
      'node_started two',
      'node_finished two',
      'text_chunk',
      'workflow_finished',
    ])
    expect(run.answer.nodes).toMatchObject([{ outputs: { from: 'one' } }, { outputs: { from: 'two' } }])
    expect(run).toMatchObject({ frames: 8, problem: null, gaps: [{ after_frame: 4 }], answer: { told: null } })
    expect(run.gaps?.[0]?.to_ms).toBeGreaterThanOrEqual(run.gaps?.[0]?.from_ms ?? Infinity)
    expect(Object.fromEntries(host.eventRequests[0] ?? [])).toEqual({ user: 'mira', include_state_snapshot: 'true' })
  })

  it('of a chatflow has a mark in its text while it goes on, and the text of its outputs at the end', async () => {
    host.onRun = (response) => stream(response, [PING, host.started(), host.message('one ')], 'breaks')
    let finish = () => undefined as void
    host.onEvents = (response) => {
      stream(response, [PING, host.started(), host.message('three')], 'stays')
      finish = () => void response.end(host.messageEnd() + host.finished({ outputs: { answer: 'one two three' } }))
    }
    const id = await start('chat')
    await expect.poll(async () => (await read(id)).gaps).toMatchObject([{ after_frame: 3 }])
    await expect.poll(async () => (await listEvents(id)).length).toBe(4)
    const { data } = await bench.json<{ data: Frame[] }>('GET', `/api/runs/${id}/frames`)
    expect(data.at(-1)?.block).toMatch(/^data: .*"three".*\n: nothing read after frame 3, from \d+ to \d+ ms$/)
    finish()
    const run = await untilStatus(id, 'succeeded')
    expect(run.answer).toMatchObject({ text: 'one two three', gaps: [{ after_frame: 3, after_chars: null }] })
    expect(host.requests.filter(({ path }) => path.startsWith('/v1/messages'))).toEqual([])
  })

  it('of a chatflow without outputs has the text of the message list, and else stays marked', async () => {
    host.onRun = (response) => stream(response, [PING, host.started(), host.message('one ')], 'breaks')
    host.onEvents = (response) =>
      stream(response, [host.message('three'), host.messageEnd(), host.finished({ outputs: {} })], 'closes')
    host.keptAnswer = 'one two three'
    const whole = await untilStatus(await start('chat'), 'succeeded')
    expect(whole.answer).toMatchObject({ text: 'one two three', gaps: [{ after_chars: null }] })
    host.keptAnswer = 'one'
    const holed = await untilStatus(await start('chat'), 'succeeded')
    expect(holed.answer).toMatchObject({ text: 'one three', gaps: [{ after_frame: 3, after_chars: 4 }] })
  })

  it('is not taken up for ever where each reader is cut after some news', async () => {
    host.onRun = (response) => stream(response, [PING, host.started()], 'breaks')
    host.onEvents = (response) => {
      const last = host.eventRequests.length > 2 ? [host.finished()] : []
      stream(response, [PING, host.node('started', `${host.eventRequests.length}`), ...last], 'breaks')
    }
    const run = await untilStatus(await start(), 'succeeded')
    expect(host.eventRequests).toHaveLength(3)
    expect(run.answer.nodes).toHaveLength(3)
    expect(run.gaps).toHaveLength(3)
  })

  it('is interrupted where the platform has no events of it', async () => {
    host.onRun = (response) => stream(response, [PING, host.started()], 'breaks')
    host.onEvents = (response) => sendError(response, 404, { code: 'not_found', message: 'Workflow run not found' })
    await untilStatus(await start(), 'interrupted')
    expect(host.eventRequests).toHaveLength(1)
  })

  it('goes on in the same timeline after a person has answered its form', async () => {
    const untilPause = () => [PING, host.started(), host.node('started', 'human'), host.form('f'), host.paused()]
    host.onRun = (response) => stream(response, untilPause(), 'closes')
    let answer = () => undefined as void
    host.onEvents = (response) => {
      stream(
        response,
        [PING, host.started(), host.node('started', 'human'), host.form('f'), host.paused(), PING],
        'stays',
      )
      answer = () =>
        void response.write(
          [
            host.started('resumption'),
            host.node('started', 'human'),
            host.event('text_chunk', { text: 'fine' }),
            host.node('finished', 'human'),
            host.finished(),
          ].join(''),
          () => response.end(),
        )
    }
    const { id } = await untilStatus(await start(), 'paused')
    await expect.poll(() => host.eventRequests.length).toBe(1)
    expect(host.eventRequests[0]?.get('continue_on_pause')).toBe('true')
    await bench.console.resumption.ensureFollowed(id)
    expect((await read(id)).status).toBe('paused')
    answer()
    const run = await untilStatus(id, 'succeeded')
    expect((await listEvents(id)).slice(5)).toEqual([
      'workflow_started',
      'node_started human',
      'text_chunk',
      'node_finished human',
      'workflow_finished',
    ])
    expect(run).toMatchObject({ gaps: [], answer: { paused: null, text: 'fine', nodes: [{ status: 'succeeded' }] } })
    expect(run.answer.forms).toHaveLength(1)
  })

  it('ends where it goes on after a pause and its events are refused then', async () => {
    const untilPause = [PING, host.started(), host.form('f'), host.paused()]
    host.onRun = (response) => stream(response, untilPause, 'closes')
    let breakOff = () => undefined as void
    host.onEvents = (response) => {
      if (host.eventRequests.length > 1) return sendError(response, 401, { code: 'unauthorized', message: 'No key' })
      stream(response, untilPause, 'stays')
      breakOff = () => void response.write(host.started('resumption'), () => response.destroy())
    }
    const { id } = await untilStatus(await start(), 'paused')
    await expect.poll(() => host.eventRequests.length).toBe(1)
    await bench.console.resumption.ensureFollowed(id)
    breakOff()
    expect(await untilStatus(id, 'interrupted')).toMatchObject({ frames: 5, problem: { kind: 'cut' } })
    expect(host.eventRequests).toHaveLength(2)
  })

  it('is followed by the next server, whether it was active or paused when the last one died', async () => {
    const leave = async (status: string, blocks: string[]): Promise<string> => {
      const id = await insertRun(status, blocks)
      await bench.restart()
      return id
    }
    host.onEvents = (response) =>
      stream(response, [PING, host.started(), host.node('finished', 'one'), host.finished()], 'closes')
    const active = await untilStatus(
      await leave('streaming', [host.started(), host.node('started', 'one')]),
      'succeeded',
    )
    expect(active).toMatchObject({ frames: 4, gaps: [{ after_frame: 2, from_ms: 200 }] })

    host = new WorkflowHost()
    bench.platform.script = host.script
    host.onEvents = (response) => stream(response, [host.finished()], 'closes')
    const paused = await untilStatus(
      await leave('paused', [host.started(), host.form('f'), host.paused()]),
      'succeeded',
    )
    expect(paused).toMatchObject({ frames: 4, gaps: [] })
  })

  it('is left to the next server when this one stops', async () => {
    host.onRun = (response) => stream(response, [PING, host.started(), host.node('started', 'one')], 'stays')
    const id = await start()
    await expect.poll(async () => (await read(id)).answer.nodes).toHaveLength(1)
    host.onEvents = (response) =>
      stream(response, [PING, host.started(), host.node('finished', 'one'), host.finished()], 'closes')
    await bench.restart()
    expect(await untilStatus(id, 'succeeded')).toMatchObject({
      problem: null,
      answer: { nodes: [{ status: 'succeeded' }] },
    })
  })

  it('is followed while a platform hangs that is asked about another paused run', async () => {
    const { workflow_run_id } = host
    let questions = 0
    bench.platform.script = (seen, response) => {
      if (seen.path.startsWith(`/v1/workflows/run/${workflow_run_id}`)) questions++
      else return host.script(seen, response)
    }
    host.onRun = (response) => stream(response, [host.started(), host.form('f'), host.paused()], 'closes')
    host.onEvents = (response) => sendError(response, 404, { code: 'not_found', message: 'Workflow run not found' })
    await untilStatus(await start(), 'paused')
    // Once at its pause, again when its next question is due.
    await expect.poll(() => questions, { timeout: 20_000 }).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    onTestFinished(() => void vi.useRealTimers())
    await expect.poll(() => questions, { timeout: 20_000 }).toBe(2)
    host = new WorkflowHost()
    await insertRun('paused', [host.started(), host.form('f'), host.paused()])
    await expect.poll(() => host.eventRequests.length, { timeout: 20_000 }).toBeGreaterThan(0)
  }, 60_000)
})

describe('a chatflow that the platform still has', () => {
  const bench = TestConsole.forFile()

  it('has the text of the snapshot where its own was cut', async () => {
    const ids = { conversation_id: randomUUID(), message_id: randomUUID(), workflow_run_id: randomUUID() }
    const event = (name: string, more: object) => toEventBlock({ event: name, task_id: 'task', ...ids, ...more })
    const started = event('workflow_started', { data: { id: ids.workflow_run_id, workflow_id: 'w', inputs: {} } })
    bench.platform.script = ({ path }, response) => {
      if (path.startsWith('/v1/chat-messages')) {
        openStream(response)
        response.write(PING + started + event('message', { answer: 'one ' }), () => response.destroy())
        return
      }
      if (!path.startsWith(`/v1/workflow/${ids.workflow_run_id}/events`)) return sendError(response, 404, {})
      openStream(response)
      const rest = [
        event('message_replace', { answer: 'one two ', reason: '' }),
        event('message', { answer: 'three' }),
        event('message_end', { metadata: {} }),
        event('workflow_finished', { data: { id: ids.workflow_run_id, status: 'succeeded', outputs: {} } }),
      ]
      response.end([PING, started, ...rest].join(''))
    }
    const body = { query: 'Why?', user: 'mira', inputs: {}, response_mode: 'streaming' }
    const id = randomUUID()
    await (await bench.fetch('POST', `/api/keys/${bench.keys.chat}/chat-messages`, body, { 'run-id': id })).text()
    const run = await bench.json<Run & { answer: AnswerState }>('GET', `/api/runs/${id}`)
    expect(run).toMatchObject({
      status: 'succeeded',
      frames: 7,
      answer: { text: 'one two three' },
      gaps: [{ after_frame: 3 }],
    })
  })

  it('is not asked for events once its workflow has ended', async () => {
    const workflow_run_id = randomUUID()
    const event = (name: string, data: object) => toEventBlock({ event: name, task_id: 'task', workflow_run_id, data })
    bench.platform.requests.length = 0
    bench.platform.script = ({ path }, response) => {
      if (!path.startsWith('/v1/chat-messages')) return sendError(response, 404, { code: 'not_found' })
      const ended = { id: workflow_run_id, status: 'succeeded', outputs: {} }
      const started = event('workflow_started', { id: workflow_run_id })
      return stream(response, [PING, started, event('workflow_finished', ended)], 'breaks')
    }
    const body = { query: 'Why?', user: 'mira', inputs: {}, response_mode: 'streaming' }
    await (await bench.fetch('POST', `/api/keys/${bench.keys.chat}/chat-messages`, body)).text()
    expect(bench.platform.requests.filter(({ path }) => path.includes('/events'))).toEqual([])
  })
})
