import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import {
  createAnswerIds,
  type RecordedRequest,
  ScriptedPlatform,
  sendError,
  toEventBlock,
  toMessageBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { TestConsole } from '../../app.testing.ts'
import { startPostgresql } from '../../db/postgresql.testing.ts'

describe('a streaming run whose server died', () => {
  const bench = TestConsole.forFile()
  let workflow_run_id = ''
  let ids = createAnswerIds()
  /** What the platform's reads are answered, by the beginning of the path after `/v1`; the rest is unknown there. */
  let replies: Record<string, unknown> = {}
  beforeEach(() => {
    workflow_run_id = randomUUID()
    ids = createAnswerIds()
    replies = {}
    bench.platform.script = ({ path }, response) => {
      const name = Object.keys(replies).find((one) => path.startsWith(`/v1${one}`))
      if (name !== undefined) return sendError(response, 200, replies[name])
      return sendError(response, 404, { code: 'not_found', message: 'Not found.', status: 404 })
    }
  })

  const chatflowEvent = (event: string, data: Record<string, unknown>) =>
    toEventBlock({ event, ...ids, workflow_run_id, data: { id: workflow_run_id, ...data } })
  const started = () => chatflowEvent('workflow_started', { workflow_id: 'w', inputs: {}, created_at: 1_795_361_504 })
  const detail = (status: string, more: object = {}) => ({
    id: workflow_run_id,
    workflow_id: 'w',
    status,
    inputs: '{"sys.query":"SLOW"}',
    outputs: { answer: 'one two three' },
    total_tokens: 9,
    elapsed_time: 7.97,
    created_at: 1_795_361_504,
    finished_at: 1_795_361_512,
    ...more,
  })
  const messages = (answer: string) => ({
    data: [
      { id: randomUUID(), conversation_id: ids.conversation_id, answer: 'another', status: 'normal' },
      { id: ids.message_id, conversation_id: ids.conversation_id, answer, status: 'normal' },
    ],
    has_more: false,
    limit: 100,
  })
  const read = (id: string) => bench.json<Run & { answer: AnswerState }>('GET', `/api/runs/${id}`)

  /** The row and the frames that a killed server leaves, 100 ms apart; then the next start, which ends the run. */
  const restartAfter = async (blocks: string[]) => {
    const id = randomUUID()
    await bench.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, end_user, response_mode, server_id, created_at)
       VALUES ($1, 'chat.send', 'streaming', $2, $3, 'mira', 'streaming', $4, now())`,
      [id, bench.workspace, bench.keys.chat, randomUUID()],
    )
    for (const [index, block] of blocks.entries())
      await bench.query('INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, $2, $3, 10, $4)', [
        id,
        index + 1,
        (index + 1) * 100,
        block.trimEnd(),
      ])
    await bench.closeConsole()
    bench.platform.requests.length = 0
    await bench.openConsole()
    await expect.poll(async () => isActiveStatus((await read(id)).status)).toBe(false)
    return read(id)
  }
  const listRequests = () => bench.platform.requests.map(({ method, path }: RecordedRequest) => `${method} ${path}`)

  it('is what operation 12 and the message list tell, for a chatflow', async () => {
    replies = { '/workflows/run/': detail('succeeded'), '/messages?': messages('one two three, as kept') }
    const run = await restartAfter([started(), toMessageBlock(ids, 'one ')])
    expect(run).toMatchObject({
      status: 'succeeded',
      problem: null,
      frames: 2,
      first_token_ms: 200,
      duration_ms: 7_970,
      total_tokens: 9,
      workflow_run_id,
      message_id: ids.message_id,
      answer: { text: 'one two three, as kept', ended: true, run: { status: 'succeeded', told: { elsewhere: false } } },
    })
    const requests = listRequests()
    expect(requests.filter((one) => one.startsWith(`GET /v1/workflows/run/${workflow_run_id}`))).toHaveLength(1)
    const lists = requests.filter((one) => one.startsWith('GET /v1/messages?'))
    expect(lists).toHaveLength(1)
    expect(lists[0]).toContain(`conversation_id=${ids.conversation_id}`)
    expect(lists[0]).toContain('user=mira')
    expect(requests.filter((one) => one.startsWith('POST'))).toEqual([])
  })

  it('takes the text of the outputs where the message list keeps none', async () => {
    replies = { '/workflows/run/': detail('succeeded'), '/messages?': messages('') }
    expect(await restartAfter([started(), toMessageBlock(ids, 'one ')])).toMatchObject({
      answer: { text: 'one two three' },
    })
  })

  it('stays interrupted for a chat without a workflow; what the platform keeps is read beside it', async () => {
    replies = { '/messages?': messages('Half an answer, complete there') }
    const run = await restartAfter([toMessageBlock(ids, 'Half an')])
    expect(run).toMatchObject({
      status: 'interrupted',
      frames: 1,
      first_token_ms: 100,
      duration_ms: 100,
      conversation_id: ids.conversation_id,
      message_id: ids.message_id,
      problem: { kind: 'cut', message: 'The server stopped after frame 1.' },
      answer: { text: 'Half an', ended: false },
    })
    expect(listRequests().filter((one) => one.includes('/messages') || one.includes('/workflows/run'))).toEqual([])
    const path = `/api/keys/${bench.keys.chat}/messages?user=mira&conversation_id=${ids.conversation_id}`
    const kept = await bench.json<{ data: { id: string; answer: string }[] }>('GET', path)
    expect(kept.data.find(({ id }) => id === run.message_id)?.answer).toBe('Half an answer, complete there')
    // Reading there changes nothing here.
    expect(await read(run.id)).toMatchObject({ status: 'interrupted', answer: { text: 'Half an' } })
  })
})

describeWith(requirements.postgresql)('while a platform hangs that was asked about the runs of a dead server', () => {
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  let bench: TestConsole
  let answering: ScriptedPlatform
  beforeAll(async () => {
    postgresql = await startPostgresql()
    bench = await TestConsole.start(postgresql.url)
    answering = await ScriptedPlatform.start()
    answering.script = (_seen, response) => sendError(response, 404, { code: 'not_found', message: 'Not found.' })
  })
  afterAll(async () => {
    await answering.close()
    await bench.remove()
    await postgresql.stop()
  })

  it('the runs of other platforms and of servers that die later are ended', async () => {
    const other = await bench.json<{ id: string }>('POST', '/api/workspaces', { name: 'b', base_url: answering.url })
    const key = await bench.json<{ id: string }>('POST', `/api/workspaces/${other.id}/keys`, {
      kind: 'chat',
      label: 'b',
      key: 'app-b',
    })
    const begin = async (workspace: string, key_id: string, hasWorkflow: boolean) => {
      const id = randomUUID()
      const ids = { ...createAnswerIds(), workflow_run_id: randomUUID() }
      const block = hasWorkflow
        ? toEventBlock({ event: 'workflow_started', ...ids, data: {} })
        : toMessageBlock(ids, 'a')
      await bench.query('INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, 1, 1, 10, $2)', [
        id,
        block.trimEnd(),
      ])
      await bench.query(
        `INSERT INTO calls(id, entry, status, workspace_id, key_id, end_user, response_mode, server_id, created_at)
         VALUES ($1, 'chat.send', 'streaming', $2, $3, 'mira', 'streaming', $4, now())`,
        [id, workspace, key_id, randomUUID()],
      )
      return id
    }
    const waitForEnd = (id: string) =>
      expect
        .poll(async () => (await bench.json<Run>('GET', `/api/runs/${id}`)).status, { timeout: 20_000 })
        .toBe('interrupted')
    bench.platform.script = () => undefined
    bench.platform.requests.length = 0
    for (let count = 0; count < 8; count++) await begin(bench.workspace, bench.keys.chat, true)
    await expect.poll(() => bench.platform.requests.length, { timeout: 20_000 }).toBeGreaterThan(0)
    await waitForEnd(await begin(bench.workspace, bench.keys.chat, false))
    await waitForEnd(await begin(other.id, key.id, true))
  }, 60_000)
})
