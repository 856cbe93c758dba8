import type { ServerResponse } from 'node:http'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { createAnswerIds, openStream, toMessageBlock, toMessageEndBlock } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import type { SendRequest } from '../../../checks/kill/consoleClient.ts'
import { answerBatchRow, createBatch, listRows, waitForEnd } from '../../../checks/kill/killBatch.ts'
import { readFrames } from '../../app.testing.ts'
import { TwoServers } from './twoServers.testing.ts'

describeWith(requirements.postgresql)('a server that sleeps while it reads a run', () => {
  let servers: TwoServers
  beforeAll(async () => {
    servers = await TwoServers.start()
  })
  afterAll(() => servers.remove())
  const sleep = async (work: () => Promise<void>) => {
    process.kill(servers.one.pid ?? 0, 'SIGSTOP')
    try {
      await work()
    } finally {
      process.kill(servers.one.pid ?? 0, 'SIGCONT')
    }
  }

  it('finds the run taken over, where the platform offers its events, writes nothing more of it, and closes its own stream', async () => {
    const { host, streams } = servers.holdWorkflowRun()
    const id = await servers.startRun('workflow')
    const read = (ask: SendRequest) => ask<Run & { answer: RunState }>('GET', `/api/runs/${id}`)
    await expect.poll(async () => (await servers.listFrames(id)).length, { message: 'the frames are stored' }).toBe(3)

    await sleep(async () => {
      // Its lease lapses, and the other server takes the run up.
      await expect.poll(() => streams.takenOver !== undefined).toBe(true)
      // What the sleeper finds when it wakes up.
      streams.original?.write(
        host.node('finished', 'one') + host.finished({ status: 'failed', error: 'read by the sleeper' }),
      )
    })
    await expect.poll(() => streams.original?.closed).toBe(true)
    streams.takenOver?.end(host.node('finished', 'one') + host.finished())
    await expect.poll(async () => (await read(servers.sendToOther)).status).toBe('succeeded')
    const data = await servers.listFrames(id)
    expect(data.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(data.filter(({ block }) => block.includes('read by the sleeper'))).toEqual([])
    // Both servers say the same of it.
    expect(await read(servers.send)).toMatchObject({ status: 'succeeded', frames: 5, gaps: [{ after_frame: 3 }] })
  })

  it('goes on with a run that only it can read; those who watch it elsewhere are told that it is silent, and of no end', async () => {
    const ids = createAnswerIds()
    let answer: ServerResponse | undefined
    servers.platform.script = (_request, response) => {
      openStream(response)
      answer = response
      answer.write(toMessageBlock(ids, 'First '))
    }
    const id = await servers.startRun('chat')
    await expect.poll(async () => (await servers.listFrames(id)).length, { message: 'the frame is stored' }).toBe(1)
    const stream = await fetch(`${servers.other.url}/api/runs/${id}/events`, { headers: { cookie: servers.cookie } })
    let text = ''
    const read = (async () => {
      for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
    })()
    await sleep(async () => {
      await expect.poll(() => text).toContain(': server not responding')
      expect(text).not.toContain('loupe.run')
      expect(await servers.sendToOther('GET', `/api/runs/${id}`)).toMatchObject({ status: 'streaming' })
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
    servers.platform.script = (_request, response) => {
      answers.push(() => answerBatchRow(response))
    }
    const batch = await createBatch(servers.send, servers.keys.completion, 4)
    await expect.poll(() => answers.length).toBe(4)
    await sleep(async () => {
      const findOwners = () => pool.query<{ id: string }>('SELECT server_id AS id FROM batches WHERE id = $1', [batch])
      const pool = new Pool({ connectionString: servers.postgresql.url })
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
    const { counts } = await waitForEnd(servers.sendToOther, batch)
    expect(counts).toMatchObject({ succeeded: 4, unknown: 0, failed: 0 })
    expect(answers).toHaveLength(4)
  })

  it('leaves a row whose run was taken over to the server that has it, and does not call it unknown', async () => {
    const { host, streams } = servers.holdWorkflowRun()
    const batch = await createBatch(servers.send, servers.keys.workflow, 1)
    // Only a run whose platform's ids are stored can be taken up.
    const listBatchFrames = async () => {
      const [row] = await listRows(servers.send, batch)
      return row?.run ? servers.listFrames(row.run) : []
    }
    await expect.poll(async () => (await listBatchFrames()).length, { message: 'the frames are stored' }).toBe(3)
    await sleep(async () => {
      await expect.poll(() => streams.takenOver !== undefined).toBe(true)
    })
    await expect.poll(() => streams.original?.closed).toBe(true)
    streams.takenOver?.end(host.node('finished', 'one') + host.finished())
    expect((await waitForEnd(servers.sendToOther, batch)).counts).toMatchObject({ succeeded: 1, unknown: 0, failed: 0 })
  })
})
