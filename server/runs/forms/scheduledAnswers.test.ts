import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ResumptionRisk, ScheduledAnswer } from '#contract/console/forms.ts'
import type { Run } from '#contract/console/runs.ts'
import type { Problem } from '#contract/problem.ts'
import { FormPlatform } from '#support/platforms/formPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

const bench = TestConsole.forFile()
let app: FormPlatform
beforeEach(async () => {
  useNewPlatform()
  await bench.query('DELETE FROM calls')
})

function useNewPlatform(): void {
  app = new FormPlatform()
  app.release = '1.16.1'
  bench.platform.script = app.script
  bench.platform.requests.length = 0
}

const INPUT = { inputs: { comment: 'good', tone: 'warm' }, action: 'approve' }
const toFormPath = (id: string) => `/api/runs/${id}/forms/${app.form_id}`
const readForm = (id: string) =>
  bench.json<{ state: string; resumption_risk: ResumptionRisk | null; scheduled: ScheduledAnswer | null }>(
    'GET',
    toFormPath(id),
  )
const untilStatus = (id: string, status: string) =>
  expect.poll(async () => (await bench.json<Run>('GET', `/api/runs/${id}`)).status).toBe(status)
const pauseRun = async (key: 'workflow' | 'chat' = 'workflow', response_mode = 'streaming'): Promise<string> => {
  const id = randomUUID()
  const path = `/api/keys/${bench.keys[key]}/${key === 'chat' ? 'chat-messages' : 'workflows/run'}`
  const body = { inputs: {}, user: 'mira', response_mode, ...(key === 'chat' && { query: 'Why?' }) }
  await (await bench.fetch('POST', path, body, { 'run-id': id })).text()
  await untilStatus(id, 'paused')
  return id
}
const schedule = async (id: string, input: object = INPUT) => {
  const response = await bench.fetch('PUT', `${toFormPath(id)}/scheduled`, input)
  return { status: response.status, body: (await response.json()) as ScheduledAnswer & Problem }
}
const cancel = async (id: string) => (await bench.fetch('DELETE', `${toFormPath(id)}/scheduled`)).status
/** Its time has come, and with it the end of the keys of the pause. */
const bringForward = async () => {
  app.pauseKeys.remove('stopped', 'commands')
  await bench.query('UPDATE scheduled_answers SET send_at = now()')
}
const countSubmissions = () =>
  bench.platform.requests.filter(({ method, path }) => method === 'POST' && path.includes('/form/')).length
const countScheduled = async () => (await bench.query('SELECT FROM scheduled_answers')).length

describe('the risk of an answer within the hour', () => {
  it('is of the releases that abort, with the end of the hour, and of what is not streamed', async () => {
    const before = Date.now()
    const id = await pauseRun()
    const { resumption_risk } = await readForm(id)
    expect(resumption_risk).toMatchObject({ has_happened: false })
    const waitMs = Date.parse(resumption_risk?.until ?? '') - before
    expect(waitMs).toBeGreaterThanOrEqual(61 * 60_000)
    expect(waitMs).toBeLessThan(62 * 60_000)
    await bench.query(`UPDATE calls SET created_at = created_at - interval '62 minutes' WHERE id = $1`, [id])
    expect((await readForm(id)).resumption_risk).toBeNull()

    useNewPlatform()
    expect((await readForm(await pauseRun('chat'))).resumption_risk).toBeNull()
    useNewPlatform()
    app.release = null
    expect((await readForm(await pauseRun())).resumption_risk).toBeNull()
  })

  it('is certain once it happened in the workspace, and none once a workflow went through', async () => {
    const submit = async () => {
      const id = await pauseRun()
      await bench.json('POST', toFormPath(id), INPUT)
      return id
    }
    await untilStatus(await submit(), 'failed')
    useNewPlatform()
    expect((await readForm(await pauseRun())).resumption_risk).toMatchObject({ has_happened: true })
    useNewPlatform()
    const id = await pauseRun()
    app.pauseKeys.remove('stopped', 'commands')
    await bench.json('POST', toFormPath(id), INPUT)
    await untilStatus(id, 'succeeded')
    useNewPlatform()
    expect((await readForm(await pauseRun())).resumption_risk).toBeNull()
  })
})

describe('an answer that is sent later', () => {
  it('is held, survives a restart, and is sent once when its time has come', async () => {
    const id = await pauseRun()
    const { resumption_risk } = await readForm(id)
    const held = { ...INPUT, at: resumption_risk?.until, problem: null }
    expect(await schedule(id)).toMatchObject({ status: 200, body: held })
    expect(await readForm(id)).toMatchObject({ state: 'open', scheduled: held })
    await bench.restart()
    expect(countSubmissions()).toBe(0)
    await bringForward()
    await untilStatus(id, 'succeeded')
    expect(app.answers).toEqual([{ ...INPUT, user: 'mira' }])
    expect(await readForm(id)).toMatchObject({ state: 'submitted', answer: INPUT, scheduled: null })
    expect(await countScheduled()).toBe(0)
    expect(countSubmissions()).toBe(1)
  })

  it('can be replaced and cancelled', async () => {
    const id = await pauseRun()
    await schedule(id)
    expect(await schedule(id, { ...INPUT, action: 'reject' })).toMatchObject({ body: { action: 'reject' } })
    expect(await cancel(id)).toBe(200)
    expect((await readForm(id)).scheduled).toBeNull()
    await schedule(id)
    await bench.query('UPDATE scheduled_answers SET claimed_at = now()')
    expect(await cancel(id)).toBe(409)
    expect((await schedule(id)).status).toBe(409)
  })

  it('is refused where it is wrong, needless, or too late for the form', async () => {
    const id = await pauseRun()
    expect((await schedule(id, { ...INPUT, action: 'bogus' })).status).toBe(400)
    await bench.query("UPDATE calls SET platform_version = '1.17.0'")
    expect(await schedule(id)).toMatchObject({ status: 409, body: { message: 'This form can be answered now.' } })
    useNewPlatform()
    app.expiration_time = Math.floor(Date.now() / 1000) + 1_800
    expect(await schedule(await pauseRun())).toMatchObject({
      status: 409,
      body: { message: 'This form expires before the platform can resume its run.' },
    })
    expect(await countScheduled()).toBe(0)
  })

  it('is not sent where somebody has answered meanwhile, or a crashed server had sent it', async () => {
    const answered = await pauseRun()
    await schedule(answered)
    app.pauseKeys.remove('stopped', 'commands')
    await bench.json('POST', toFormPath(answered), { ...INPUT, action: 'reject' })
    await bringForward()
    await expect.poll(countScheduled).toBe(0)
    expect(app.answers).toMatchObject([{ action: 'reject' }])

    useNewPlatform()
    const crashed = await pauseRun()
    await schedule(crashed)
    await bench.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, resource_ids, request)
       VALUES ($1, 'adjacent.submitForm', 'unknown', $2, $3, now(), $4, '{}')`,
      [randomUUID(), bench.workspace, bench.keys.workflow, [crashed, app.form_id]],
    )
    await bench.query(`UPDATE scheduled_answers SET claimed_at = now() - interval '6 minutes'`)
    await bringForward()
    await expect.poll(countScheduled).toBe(0)
    expect(countSubmissions()).toBe(0)
  })

  it('that the platform refuses says why, and is not sent again', async () => {
    const id = await pauseRun()
    await schedule(id)
    const { script } = app
    bench.platform.script = (seen, response) =>
      seen.method === 'POST' && seen.path.includes('/form/')
        ? void response.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"invalid","message":"No."}')
        : script(seen, response)
    await bringForward()
    await expect.poll(async () => (await readForm(id)).scheduled?.problem?.message).toContain('No.')
    expect(countSubmissions()).toBe(1)
    expect(await cancel(id)).toBe(200)
  })

  it('is not sent for a person who may no longer answer', async () => {
    const id = await pauseRun()
    const person = await createPerson(bench, 'operator')
    await bench.fetch('PUT', `${toFormPath(id)}/scheduled`, INPUT, { cookie: person.cookie })
    await bench.query('UPDATE people SET disabled_at = now() WHERE name = $1', [person.name])
    await bringForward()
    await expect.poll(async () => (await readForm(id)).scheduled?.problem?.kind).toBe('denied')
    expect(countSubmissions()).toBe(0)
  })
})
