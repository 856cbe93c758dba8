import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RunState } from '#domain/workflowRun/runState.ts'
import type { Run } from '#contract/console/runs.ts'
import type { FailureGroup, KnownNode } from '#contract/console/runInsights.ts'
import { toEventBlock, openStream, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../../app.testing.ts'

type WorkflowRunDetail = Run & { answer: RunState }

describe('a run that has not said its end', () => {
  const bench = TestConsole.forFile()
  let workflow_run_id = ''
  /** What operation 12 answers. */
  let detail: { status: number; body: unknown } = { status: 404, body: {} }
  /** What the stream of a run says, and whether it ends or breaks. */
  let blocks: string[] = []
  beforeEach(() => {
    workflow_run_id = randomUUID()
    bench.platform.script = (seen, response) => {
      if (seen.method === 'GET') return sendError(response, detail.status, detail.body)
      openStream(response)
      for (const one of blocks) response.write(one)
      response.end()
    }
    blocks = [
      event('workflow_started', { id: workflow_run_id, workflow_id: 'w', created_at: 1_795_000_000 }),
      event('node_started', { id: 'x', node_id: 'n', node_type: 'llm', title: 'Draft' }),
    ]
  })
  const event = (name: string, data: object) =>
    toEventBlock({ event: name, task_id: 't', workflow_run_id, data: data as Record<string, unknown> })
  const run = async (id: string = randomUUID(), mode = 'streaming') => {
    const path = `/api/keys/${bench.keys.workflow}/workflows/run`
    const body = { inputs: { topic: 'tea' }, user: 'me', response_mode: mode }
    const response = await bench.fetch('POST', path, body, { 'run-id': id })
    return { id, text: await response.text() }
  }
  const read = (id: string) => bench.json<WorkflowRunDetail>('GET', `/api/runs/${id}`)
  const settle = (id: string, body: object = {}) => bench.fetch('POST', `/api/runs/${id}/reconcile`, body)
  const adopt = (id: string, key = bench.keys.workflow) =>
    bench.fetch('POST', '/api/runs', { key, workflow_run_id: id })
  const said = (status: string, more: object = {}) => ({
    status: 200,
    body: {
      id: workflow_run_id,
      workflow_id: 'w',
      status,
      inputs: '{"topic":"tea"}',
      outputs: '{"text":"Green."}',
      ...more,
    },
  })

  it('ends at once as the platform tells it, and says who told it', async () => {
    detail = said('partial-succeeded', { total_tokens: 17, elapsed_time: 2 })
    const { id, text } = await run()
    expect(readFrames(text).run).toMatchObject({
      status: 'partial-succeeded',
      problem: null,
      total_tokens: 17,
      duration_ms: 2_000,
    })
    const kept = await read(id)
    expect(kept.answer).toMatchObject({
      status: 'partial-succeeded',
      outputs: { text: 'Green.' },
      nodes: [{ title: 'Draft' }],
      told: { elsewhere: false, because: null },
    })
    const found = await bench.json<{ data: Run[] }>('GET', `/api/runs?resource=${workflow_run_id}`)
    expect(found.data.map((one) => one.id)).toEqual([id])
  })

  it('that goes on at the platform is interrupted until it is asked for again', async () => {
    detail = said('running')
    const { id } = await run()
    expect(await read(id)).toMatchObject({ status: 'interrupted', answer: { told: null } })
    expect(await (await settle(id)).json()).toMatchObject({ status: 'interrupted', answer: { status: 'running' } })
    detail = said('failed', { error: 'No such file.' })
    expect(await (await settle(id)).json()).toMatchObject({ status: 'failed', answer: { error: 'No such file.' } })
    expect((await settle(id)).status).toBe(409)
  })

  it('of which the platform knows nothing stays as it was, in the platform’s words', async () => {
    detail = { status: 404, body: { code: 'not_found', message: 'Workflow run not found.' } }
    const { id } = await run()
    const refused = await settle(id)
    expect([refused.status, await refused.json()]).toMatchObject([424, { kind: 'refused', upstream: { status: 404 } }])
    detail = { status: 200, body: { id: null, status: null, inputs: null, outputs: null } }
    expect(await (await settle(id)).json()).toMatchObject({ kind: 'refused', upstream: { status: 200 } })
    expect(await read(id)).toMatchObject({ status: 'interrupted' })
  })

  it('and was called blocking needs the id that it never named', async () => {
    bench.platform.script = (seen, response) =>
      seen.method === 'GET'
        ? sendError(response, 200, said('succeeded').body)
        : sendError(response, 504, 'Gateway Time-out')
    const { id } = await run(randomUUID(), 'blocking')
    expect(await read(id)).toMatchObject({ status: 'unknown', workflow_run_id: null })
    expect((await settle(id)).status).toBe(400)
    const settled = (await (await settle(id, { workflow_run_id })).json()) as WorkflowRunDetail
    expect(settled).toMatchObject({ status: 'succeeded', workflow_run_id, problem: null })
    expect(settled.answer.told?.because).toContain('504')
  })

  it('is not another’s: a run that said its end is never asked for', async () => {
    blocks.push(event('workflow_finished', { id: workflow_run_id, status: 'failed', error: 'Off.' }))
    const { id } = await run()
    expect(bench.platform.requests.filter(({ path }) => path.includes(workflow_run_id))).toEqual([])
    expect((await read(id)).answer.told).toBeNull()
  })

  it('and began elsewhere is read, kept once, and found again', async () => {
    detail = said('succeeded', { created_at: 1_795_000_000, elapsed_time: 1.5 })
    const [first, second] = await Promise.all([adopt(workflow_run_id), adopt(workflow_run_id)])
    const [one, other] = [(await first.json()) as WorkflowRunDetail, (await second.json()) as WorkflowRunDetail]
    expect(one).toMatchObject({
      status: 'succeeded',
      workflow_run_id,
      title: 'tea',
      frames: 0,
      duration_ms: 1500,
      created_at: '2026-11-18T11:06:40.000Z',
      answer: { inputs: { topic: 'tea' }, told: { elsewhere: true } },
    })
    expect(other.id).toBe(one.id)
    const data = await bench.list<Run>('/api/runs?q=Green')
    expect(data.filter(({ id }) => id === one.id)).toHaveLength(1)
    const before = bench.platform.requests.length
    expect(((await (await adopt(workflow_run_id)).json()) as Run).id).toBe(one.id)
    expect(bench.platform.requests.length).toBe(before)
  })

  it('and began elsewhere is not kept where the platform does not tell it, or the key is no workflow’s', async () => {
    detail = { status: 400, body: { code: 'not_workflow_app', message: 'No.' } }
    expect(await (await adopt(workflow_run_id)).json()).toMatchObject({
      upstream: { body: { code: 'not_workflow_app' } },
    })
    expect((await adopt(workflow_run_id, bench.keys.chat)).status).toBe(400)
    expect((await bench.json<{ total: number }>('GET', `/api/runs?resource=${workflow_run_id}`)).total).toBe(0)
  })

  it('that paused elsewhere is paused, and one that runs there unknown', async () => {
    detail = said('paused')
    expect(await (await adopt(workflow_run_id)).json()).toMatchObject({ status: 'paused' })
    workflow_run_id = randomUUID()
    detail = said('running')
    const running = (await (await adopt(workflow_run_id)).json()) as WorkflowRunDetail
    expect(running).toMatchObject({ status: 'unknown', answer: { status: 'running', ended: false } })
    detail = said('stopped')
    const settled = (await (await settle(running.id)).json()) as WorkflowRunDetail
    expect(settled).toMatchObject({ status: 'stopped', answer: { told: { elsewhere: true } } })
  })

  it('knows the nodes of earlier runs of its workflow, and failures by node and words', async () => {
    const fail = (error: string, title = 'Draft') => {
      blocks.push(
        event('node_finished', { id: 'x', node_id: 'n', title, status: 'failed', error }),
        event('workflow_finished', { id: workflow_run_id, workflow_id: 'w9', status: 'failed', error }),
      )
    }
    blocks.push(event('node_started', { id: 'y', node_id: 'end', node_type: 'end', title: 'End' }))
    blocks.push(event('workflow_finished', { id: workflow_run_id, workflow_id: 'w9', status: 'succeeded' }))
    await run()
    blocks = blocks.slice(0, 2)
    fail('Prompt is 12 tokens.')
    const { id } = await run()
    const known = await bench.json<{ data: KnownNode[]; runs: number }>('GET', `/api/runs/${id}/known-nodes`)
    expect([known.data.map(({ node_id }) => node_id), known.runs]).toEqual([['n', 'end'], 1])
    blocks = blocks.slice(0, 2)
    fail('Prompt is 77 tokens.')
    await run()
    expect((await bench.json<{ total: number }>('GET', '/api/runs?q=Prompt is 77')).total).toBe(1)
    const failures = await bench.json<{ data: FailureGroup[] }>('GET', `/api/failures?key=${bench.keys.workflow}`)
    expect(failures.data[0]).toMatchObject({
      title: 'Draft',
      count: 2,
      error: 'Prompt is 77 tokens.',
      runs: [{}, { id }],
    })
  })

  it('has the words of its failure also where its answer is stored in pieces', async () => {
    const error = 'The model gave no answer.'
    for (const id of ['x', 'y'])
      blocks.push(
        event('node_finished', { id, node_id: id, status: 'succeeded', outputs: { text: 'x'.repeat(600_000) } }),
      )
    blocks.push(event('workflow_finished', { id: workflow_run_id, workflow_id: 'w9', status: 'failed', error }))
    const { id } = await run()
    const failures = await bench.json<{ data: FailureGroup[] }>('GET', `/api/failures?key=${bench.keys.workflow}`)
    expect(failures.data.find(({ runs }) => runs.some((one) => one.id === id))).toMatchObject({ error, count: 1 })
  })

  it('stands in the tree of all that were made from one another, and a ring of parents is none', async () => {
    const path = `/api/keys/${bench.keys.workflow}/workflows/run`
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    blocks.push(event('workflow_finished', { id: workflow_run_id, status: 'succeeded' }))
    for (const [id, parent] of [
      [first, third],
      [second, first],
      [third, first],
    ] as const) {
      const headers = { 'run-id': id, 'run-parent': parent }
      await (await bench.fetch('POST', path, { inputs: {}, user: 'me', response_mode: 'streaming' }, headers)).text()
    }
    const family = await bench.json<{ data: Run[] }>('GET', `/api/runs/${third}/lineage`)
    expect(family.data.map(({ id }) => id)).toEqual([first, second, third])
  })
})
