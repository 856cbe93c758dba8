import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import {
  createAnswerIds,
  openStream,
  ScriptedPlatform,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { addAppKeys, type SendRequest, signIn } from '../../../checks/kill/consoleClient.ts'
import { answerBatchRow, createBatch, listRows, waitForEnd } from '../../../checks/kill/killBatch.ts'
import { readFrames } from '../../app.testing.ts'
import { startPostgresql } from '../../db/postgresql.testing.ts'
import { PING, stream, WorkflowHost } from './workflowHost.testing.ts'

describeWith(requirements.postgresql)('a server that sleeps while it reads a run', () => {
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  let platform: ScriptedPlatform
  let sleeper: LoupeProcess
  let other: LoupeProcess
  let send: SendRequest
  let sendToOther: SendRequest
  let cookie: string
  let keys: Record<'chat' | 'completion' | 'workflow', string>
  const listFrames = async (id: string) =>
    (await sendToOther<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=100`)).data
  const startRun = async (kind: 'chat' | 'workflow', path: string) => {
    const id = randomUUID()
    const body = { inputs: {}, user: 'mira', response_mode: 'streaming', ...(kind === 'chat' && { query: 'Why?' }) }
    await send('POST', `/api/keys/${keys[kind]}/${path}`, body, { 'run-id': id, prefer: 'respond-async' })
    return id
  }
  const findEventsCapability = async () => {
    const { data } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
    const key = data.flatMap((workspace) => workspace.keys).find(({ id }) => id === keys.workflow)
    return key?.capabilities['runEvents']?.state
  }
  const sleep = async (work: () => Promise<void>) => {
    process.kill(sleeper.pid ?? 0, 'SIGSTOP')
    try {
      await work()
    } finally {
      process.kill(sleeper.pid ?? 0, 'SIGCONT')
    }
  }
  /** A run whose stream stays open, for the server that began it and for the one that takes it up. */
  const holdWorkflowRun = () => {
    const host = new WorkflowHost()
    platform.script = host.script
    const streams: { original?: ServerResponse; takenUp?: ServerResponse } = {}
    const hold = (name: keyof typeof streams) => (response: ServerResponse) => {
      streams[name] = response
      stream(response, [PING, host.started(), host.node('started', 'one')], 'stays')
    }
    host.onRun = hold('original')
    host.onEvents = hold('takenUp')
    return { host, streams }
  }
  beforeAll(async () => {
    postgresql = await startPostgresql()
    platform = await ScriptedPlatform.start()
    const env = { DATABASE_URL: postgresql.url, MASTER_KEY: randomBytes(32).toString('hex'), PLATFORM: 'off' }
    sleeper = new LoupeProcess(env)
    other = new LoupeProcess(env)
    await Promise.all([sleeper.start(), other.start()])
    ;({ send } = await signIn(sleeper))
    ;({ send: sendToOther, cookie } = await signIn(other))
    const host = new WorkflowHost()
    platform.script = (seen, response) =>
      seen.path.startsWith('/v1/info') && seen.headers.authorization === 'Bearer app-workflow'
        ? sendError(response, 200, { name: 'Workflow', description: '', tags: [], mode: 'workflow' })
        : host.script(seen, response)
    keys = await addAppKeys(send, platform.url)
    // Detected when the key was added.
    await vi.waitUntil(async () => (await findEventsCapability()) === 'offered', { timeout: 30_000 })
  })
  afterAll(async () => {
    await Promise.all([sleeper.remove(), other.remove()])
    await platform.close()
    await postgresql.stop()
  })

  it('finds the run taken over, where the platform offers its events, writes nothing more of it, and closes its own stream', async () => {
    const { host, streams } = holdWorkflowRun()
    const id = await startRun('workflow', 'workflows/run')
    const read = (ask: SendRequest) => ask<Run & { answer: RunState }>('GET', `/api/runs/${id}`)
    await expect.poll(async () => (await listFrames(id)).length, { message: 'the frames are stored' }).toBe(3)

    await sleep(async () => {
      // Its lease lapses, and the other server takes the run up.
      await expect.poll(() => streams.takenUp !== undefined).toBe(true)
      // What the sleeper finds when it wakes up.
      streams.original?.write(
        host.node('finished', 'one') + host.finished({ status: 'failed', error: 'read by the sleeper' }),
      )
    })
    await expect.poll(() => streams.original?.closed).toBe(true)
    streams.takenUp?.end(host.node('finished', 'one') + host.finished())
    await expect.poll(async () => (await read(sendToOther)).status).toBe('succeeded')
    const data = await listFrames(id)
    expect(data.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(data.filter(({ block }) => block.includes('read by the sleeper'))).toEqual([])
    // Both servers say the same of it.
    expect(await read(send)).toMatchObject({ status: 'succeeded', frames: 5, gaps: [{ after_frame: 3 }] })
  })

  it('goes on with a run that only it can read; those who watch it elsewhere are told that it is silent, and of no end', async () => {
    const ids = createAnswerIds()
    let answer: ServerResponse | undefined
    platform.script = (_request, response) => {
      openStream(response)
      answer = response
      answer.write(toMessageBlock(ids, 'First '))
    }
    const id = await startRun('chat', 'chat-messages')
    await expect.poll(async () => (await listFrames(id)).length, { message: 'the frame is stored' }).toBe(1)
    const stream = await fetch(`${other.url}/api/runs/${id}/events`, { headers: { cookie } })
    let text = ''
    const read = (async () => {
      for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
    })()
    await sleep(async () => {
      await expect.poll(() => text).toContain(': server not responding')
      expect(text).not.toContain('loupe.run')
      expect(await sendToOther('GET', `/api/runs/${id}`)).toMatchObject({ status: 'streaming' })
      answer?.write(toMessageBlock(ids, 'second '))
    })
    await expect.poll(() => text, { message: 'what came while it slept' }).toContain('second')
    answer?.end(toMessageBlock(ids, 'last.') + toMessageEndBlock(ids))
    await read
    expect(text.indexOf(': server not responding')).toBeLessThan(text.lastIndexOf(': live'))
    expect(readFrames(text)).toMatchObject({
      frames: [1, 2, 3, 4].map((seq) => ({ id: seq })),
      run: { status: 'succeeded' },
    })
  })

  it('ends the rows of its batch with what their calls gave, although another server has taken the batch over', async () => {
    const answers: (() => void)[] = []
    platform.script = (_request, response) => {
      answers.push(() => answerBatchRow(response))
    }
    const batch = await createBatch(send, keys.completion, 4)
    await expect.poll(() => answers.length).toBe(4)
    await sleep(async () => {
      const findOwners = () => pool.query<{ id: string }>('SELECT server_id AS id FROM batches WHERE id = $1', [batch])
      const pool = new Pool({ connectionString: postgresql.url })
      try {
        const owner = (await findOwners()).rows[0]?.id
        await expect
          .poll(async () => (await findOwners()).rows[0]?.id, { message: 'another server has it' })
          .not.toBe(owner)
      } finally {
        await pool.end()
      }
      for (const give of answers) give()
    })
    const { counts } = await waitForEnd(sendToOther, batch)
    expect(counts).toMatchObject({ succeeded: 4, unknown: 0, failed: 0 })
    expect(answers).toHaveLength(4)
  })

  it('leaves a row whose run was taken over to the server that has it, and does not call it unknown', async () => {
    const { host, streams } = holdWorkflowRun()
    const batch = await createBatch(send, keys.workflow, 1)
    // Only a run whose platform's ids are stored can be taken up.
    const listBatchFrames = async () => {
      const [row] = await listRows(send, batch)
      return row?.run ? listFrames(row.run) : []
    }
    await expect.poll(async () => (await listBatchFrames()).length, { message: 'the frames are stored' }).toBe(3)
    await sleep(async () => {
      await expect.poll(() => streams.takenUp !== undefined).toBe(true)
    })
    await expect.poll(() => streams.original?.closed).toBe(true)
    streams.takenUp?.end(host.node('finished', 'one') + host.finished())
    expect((await waitForEnd(sendToOther, batch)).counts).toMatchObject({ succeeded: 1, unknown: 0, failed: 0 })
  })
})
