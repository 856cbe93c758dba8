import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { type SendRequest, signIn } from '../../../checks/kill/consoleClient.ts'
import { startPostgresql } from '../../db/postgresql.testing.ts'
import { PING, stream, WorkflowHost } from './workflowHost.testing.ts'

describeWith(requirements.postgresql)('a server that sleeps while it reads a run', () => {
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  let platform: ScriptedPlatform
  let sleeper: LoupeProcess
  let other: LoupeProcess
  beforeAll(async () => {
    postgresql = await startPostgresql()
    platform = await ScriptedPlatform.start()
    const env = { DATABASE_URL: postgresql.url, MASTER_KEY: randomBytes(32).toString('hex'), PLATFORM: 'off' }
    sleeper = await new LoupeProcess(env).start()
    other = await new LoupeProcess(env).start()
  })
  afterAll(async () => {
    await Promise.all([sleeper.remove(), other.remove()])
    await platform.close()
    await postgresql.stop()
  })

  it('finds the run taken over, writes nothing more of it, and closes its own stream', async () => {
    const host = new WorkflowHost()
    platform.script = host.script
    let original: ServerResponse | undefined
    let takenUp: ServerResponse | undefined
    host.onRun = (response) => {
      original = response
      stream(response, [PING, host.started(), host.node('started', 'one')], 'stays')
    }
    host.onEvents = (response) => {
      takenUp = response
      stream(response, [PING, host.started(), host.node('started', 'one')], 'stays')
    }
    const { send } = await signIn(sleeper)
    const { send: sendToOther } = await signIn(other)
    const { id: workspace } = await send<{ id: string }>('POST', '/api/workspaces', {
      name: 'Scripted',
      base_url: platform.url,
    })
    const { id: key } = await send<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, {
      kind: 'workflow',
      label: 'Workflow',
      key: 'app-sleeper',
    })
    const id = randomUUID()
    const body = { inputs: {}, user: 'mira', response_mode: 'streaming' }
    await send('POST', `/api/keys/${key}/workflows/run`, body, { 'run-id': id, prefer: 'respond-async' })
    const read = (ask: SendRequest) => ask<Run & { answer: RunState }>('GET', `/api/runs/${id}`)
    const listFrames = async () =>
      (await sendToOther<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=100`)).data
    await expect.poll(async () => (await listFrames()).length, { message: 'the frames are stored' }).toBe(3)

    process.kill(sleeper.pid ?? 0, 'SIGSTOP')
    try {
      // Its lease lapses, and the other server takes the run up.
      await expect.poll(() => takenUp !== undefined).toBe(true)
      // What the sleeper finds when it wakes up.
      original?.write(host.node('finished', 'one') + host.finished({ status: 'failed', error: 'read by the sleeper' }))
    } finally {
      process.kill(sleeper.pid ?? 0, 'SIGCONT')
    }
    await expect.poll(() => original?.closed).toBe(true)
    takenUp?.end(host.node('finished', 'one') + host.finished())
    await expect.poll(async () => (await read(sendToOther)).status).toBe('succeeded')
    const data = await listFrames()
    expect(data.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(data.filter(({ block }) => block.includes('read by the sleeper'))).toEqual([])
    // Both servers say the same of it.
    expect(await read(send)).toMatchObject({ status: 'succeeded', frames: 5, gaps: [{ after_frame: 3 }] })
  })
})
