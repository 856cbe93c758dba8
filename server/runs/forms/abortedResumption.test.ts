import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { FormPlatform } from '#support/platforms/formPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

const bench = TestConsole.forFile()
let app: FormPlatform
beforeEach(() => {
  app = new FormPlatform()
  app.release = '1.16.1'
  bench.platform.script = app.script
})

const read = (id: string) => bench.json<Run & { answer: RunState }>('GET', `/api/runs/${id}`)
const untilStatus = async (id: string, status: string) => {
  await expect.poll(async () => (await read(id)).status).toBe(status)
  return read(id)
}
const pauseRun = async (): Promise<string> => {
  const id = randomUUID()
  const body = { inputs: {}, user: 'mira', response_mode: 'streaming' }
  const path = `/api/keys/${bench.keys.workflow}/workflows/run`
  await (await bench.fetch('POST', path, body, { 'run-id': id })).text()
  await untilStatus(id, 'paused')
  return id
}
const answer = (id: string) =>
  bench.json('POST', `/api/runs/${id}/forms/${app.form_id}`, {
    inputs: { comment: 'good', tone: 'warm' },
    action: 'approve',
  })

describe('a run that its platform aborts after the answer to its form', () => {
  it('is a failure of the platform, with the error and the outputs of its record', async () => {
    const id = await pauseRun()
    await answer(id)
    const run = await untilStatus(id, 'failed')
    expect(run.problem?.message).toMatch(
      /^The platform ended this run instead of resuming it.*1\.16\.0 and 1\.16\.1\. Your answer was accepted; steps after the form may have run\./,
    )
    expect(run.problem?.message).toContain('“Aborted: Client response stream closed before app execution completed”')
    expect(run.answer).toMatchObject({ status: 'stopped', outputs: { comment: 'good' } })
    expect(run.error_message).toBe(run.problem?.message)
    const { data } = await bench.json<{ data: Run[] }>('GET', '/api/runs?status=failed')
    expect(data.map((listed) => listed.id)).toEqual([id])
  })

  it('is one too where the record has another text, or is not there', async () => {
    app.pauseKeys.remove('stopped')
    const id = await pauseRun()
    app.pauseKeys.remove('stopped')
    app.reachesEnd = false
    await answer(id)
    expect((await untilStatus(id, 'failed')).problem?.message).toContain('“Aborted: App task was stopped”')

    app = new FormPlatform()
    app.release = '1.16.1'
    const { script, workflow_run_id } = app
    bench.platform.script = (seen, response) =>
      seen.path.includes(`/workflows/run/${workflow_run_id}`)
        ? void response.writeHead(404).end('{}')
        : script(seen, response)
    const unrecorded = await pauseRun()
    await answer(unrecorded)
    expect((await untilStatus(unrecorded, 'failed')).problem?.message).toContain('“Stopped by user.”')
  })

  it('is one too where only the record says so', async () => {
    const { script } = app
    bench.platform.script = (seen, response) =>
      seen.path.includes('/events') ? void response.writeHead(404).end('{}') : script(seen, response)
    const id = await pauseRun()
    await answer(id)
    expect(await untilStatus(id, 'failed')).toMatchObject({ answer: { outputs: { comment: 'good' } } })
  })

  it('is stopped where somebody here has stopped it', async () => {
    const id = await pauseRun()
    const { task_id } = await read(id)
    const { script } = app
    bench.platform.script = (seen, response) =>
      seen.path.endsWith('/stop') ? void response.end('{"result":"success"}') : script(seen, response)
    await bench.json('POST', `/api/keys/${bench.keys.workflow}/workflows/tasks/${task_id}/stop`, { user: 'mira' })
    await answer(id)
    expect(await untilStatus(id, 'stopped')).toMatchObject({ problem: null })
  })

  it('is not assumed of a release that does not do it', async () => {
    const id = await pauseRun()
    await bench.query("UPDATE calls SET platform_version = '1.17.0' WHERE id = $1", [id])
    app.pauseKeys.remove('stopped')
    await answer(id)
    expect(await untilStatus(id, 'stopped')).toMatchObject({ problem: null })
  })

  it('succeeds once both keys of the pause are gone', async () => {
    const id = await pauseRun()
    app.pauseKeys.remove('stopped', 'commands')
    await answer(id)
    await untilStatus(id, 'succeeded')
  })
})
