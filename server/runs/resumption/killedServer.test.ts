import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { createAnswerIds, openStream, toMessageBlock, toMessageEndBlock } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { readFrames } from '../../app.testing.ts'
import { TwoServers } from './twoServers.testing.ts'

describeWith(requirements.postgresql)(
  'two servers on one PostgreSQL, one of which is killed while it reads runs',
  () => {
    let servers: TwoServers
    beforeAll(async () => {
      servers = await TwoServers.start()
    })
    afterAll(() => servers.remove())

    it('the other takes over the run whose events the platform offers, ends the one that broke off with every frame that was shown, and leaves its own', async () => {
      const ids = createAnswerIds()
      const answers: ServerResponse[] = []
      servers.platform.script = (_seen, response) => {
        openStream(response)
        response.write(toMessageBlock(ids, 'First '))
        answers.push(response)
      }
      const brokenOff = await servers.startRun('chat')
      const ofOther = await servers.startRun('chat', servers.sendToOther)
      await expect.poll(() => answers.length).toBe(2)
      const { host, streams } = servers.holdWorkflowRun()
      const takenOver = await servers.startRun('workflow')
      const cookie = servers.cookie
      const shown = fetch(`${servers.other.url}/api/runs/${brokenOff}/events`, { headers: { cookie } })
      const storedCounts = async () =>
        Promise.all([brokenOff, ofOther, takenOver].map(async (id) => (await servers.listFrames(id)).length))
      await expect.poll(storedCounts).toEqual([1, 1, 3])

      await servers.one.kill()
      const { frames, run } = readFrames(await (await shown).text())
      expect([frames.map(({ id }) => id), run]).toMatchObject([[1], { status: 'interrupted', frames: 1 }])
      expect((await servers.listFrames(brokenOff)).map(({ block }) => block)).toEqual(frames.map(({ block }) => block))

      await expect.poll(() => streams.takenOver !== undefined).toBe(true)
      streams.takenOver?.end(host.node('finished', 'one') + host.finished())
      const read = (id: string) => servers.sendToOther<Run & { answer: RunState }>('GET', `/api/runs/${id}`)
      await expect.poll(() => read(takenOver)).toMatchObject({ status: 'succeeded', gaps: [{ after_frame: 3 }] })
      expect((await read(takenOver)).answer.nodes).toMatchObject([{ status: 'succeeded' }])

      expect(await read(ofOther)).toMatchObject({ status: 'streaming' })
      for (const answer of answers) answer.end(toMessageBlock(ids, 'last.') + toMessageEndBlock(ids))
      await expect.poll(() => read(ofOther)).toMatchObject({ status: 'succeeded', frames: 3 })
      expect(servers.platform.requests.filter(({ path }) => path.endsWith('/chat-messages'))).toHaveLength(2)
      expect(host.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    })
  },
)
