import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WaitingRun } from '#contract/console/forms.ts'
import type { Problem } from '#contract/problem.ts'
import { FormPlatform } from '#support/platforms/formPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

const testConsole = TestConsole.forFile()
let app: FormPlatform
beforeEach(async () => {
  app = new FormPlatform()
  testConsole.platform.script = app.script
  testConsole.platform.requests.length = 0
  await testConsole.query('DELETE FROM calls')
})

/** A run that waits for the platform's form. */
async function pauseRun({ user = 'mira', response_mode = 'streaming' } = {}): Promise<string> {
  const run_id = randomUUID()
  const response = await testConsole.fetch(
    'POST',
    `/api/keys/${testConsole.keys.workflow}/workflows/run`,
    { inputs: {}, user, response_mode },
    { 'run-id': run_id },
  )
  await response.text()
  await expect.poll(async () => (await readRun(run_id)).status).toBe('paused')
  return run_id
}
const readRun = (run_id: string) => testConsole.json<{ status: string }>('GET', `/api/runs/${run_id}`)
const toFormPath = (run_id: string, form_id: string = app.form_id) => `/api/runs/${run_id}/forms/${form_id}`
const ANSWER = { inputs: { comment: 'good', tone: 'warm' }, action: 'approve' }

async function submit(run_id: string, body: unknown = ANSWER, cookie?: string) {
  const response = await testConsole.fetch('POST', toFormPath(run_id), body, cookie ? { cookie } : {})
  return { status: response.status, body: (await response.json()) as Problem & { result?: string; answer?: object } }
}
const readForm = (run_id: string) =>
  testConsole.json<{ state: string; form: { fields: { name: string }[] }; answer: { person: string | null } | null }>(
    'GET',
    toFormPath(run_id),
  )
const listSubmissions = () =>
  testConsole.platform.requests.filter(({ method, path }) => method === 'POST' && path.includes('/form/'))

describe('a form of a paused run', () => {
  it('is read as the platform tells it, without its token', async () => {
    const run_id = await pauseRun()
    const response = await testConsole.fetch('GET', toFormPath(run_id))
    const text = await response.text()
    expect(text).not.toContain(app.form_token)
    expect(JSON.parse(text)).toMatchObject({
      state: 'open',
      answer: null,
      form: {
        form_id: app.form_id,
        can_answer: true,
        is_pending: true,
        fields: [{ name: 'comment' }, { name: 'tone', options: ['plain', 'warm'] }],
        actions: [{ id: 'approve', style: 'primary' }, { id: 'reject' }],
      },
    })
  })

  it('is answered with the run’s key and user, and the ledger has the answer without the token', async () => {
    const run_id = await pauseRun()
    expect(await submit(run_id)).toMatchObject({ status: 200, body: { result: 'accepted', answer: ANSWER } })
    expect(app.answers).toEqual([{ ...ANSWER, user: 'mira' }])
    expect(listSubmissions()[0]?.headers.authorization).toBe(`Bearer ${testConsole.secretKey}-workflow`)
    const rows = await testConsole.query(
      "SELECT entry, status, params, request, calls::text AS all FROM calls WHERE entry = 'adjacent.submitForm'",
    )
    expect(rows).toMatchObject([
      { status: 'succeeded', params: { run_id, form_id: app.form_id }, request: { ...ANSWER, user: 'mira' } },
    ])
    expect((rows[0] as { all: string }).all).not.toContain(app.form_token)
    expect(testConsole.log).not.toContain(app.form_token)
    expect(await readForm(run_id)).toMatchObject({ state: 'submitted', answer: ANSWER })
  })

  it.each([
    ['an unknown action', { ...ANSWER, action: 'bogus' }, ['body.action']],
    ['a missing field', { ...ANSWER, inputs: { comment: 'x' } }, ['body.inputs.tone']],
    ['a value of another type', { ...ANSWER, inputs: { comment: 3, tone: 'warm' } }, ['body.inputs.comment']],
    ['an option that is none', { ...ANSWER, inputs: { comment: 'x', tone: 'loud' } }, ['body.inputs.tone']],
    ['a field of no form', { ...ANSWER, inputs: { ...ANSWER.inputs, extra: 1 } }, ['body.inputs.extra']],
  ])('refuses %s by its name, and nothing is sent', async (_, body, fields) => {
    const run_id = await pauseRun()
    const refused = await submit(run_id, body)
    expect(refused.status).toBe(400)
    expect(refused.body.fields?.map(({ path }) => path)).toEqual(fields)
    expect(listSubmissions()).toEqual([])
    expect((await submit(run_id)).status).toBe(200)
  })

  it('is given to one of two people at once; the other reads who was earlier', async () => {
    const run_id = await pauseRun()
    const [one, other] = [await createPerson(testConsole, 'operator'), await createPerson(testConsole, 'operator')]
    const bothArrived = Promise.withResolvers<void>()
    let arrived = 0
    app.holdBack = () => {
      if (++arrived === 2) bothArrived.resolve()
      return bothArrived.promise
    }
    const replies = await Promise.all([
      submit(run_id, ANSWER, one.cookie),
      submit(run_id, { ...ANSWER, action: 'reject' }, other.cookie),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(app.answers).toHaveLength(1)
    const winner = replies[0].status === 200 ? one : other
    const refused = replies.find(({ status }) => status === 412)
    expect(refused?.body.message).toBe(
      `This form was already answered here by ${winner.name}. Your answer was not used.`,
    )
    expect(await readForm(run_id)).toMatchObject({ state: 'submitted', answer: { person: winner.name } })
  })

  it('that was answered elsewhere, or has expired, says so', async () => {
    const run_id = await pauseRun()
    app.answerAtPlatform()
    expect(await readForm(run_id)).toMatchObject({ state: 'submitted', answer: null })
    expect(await submit(run_id)).toMatchObject({
      status: 412,
      body: { message: 'This form was already answered outside this console. Your answer was not used.' },
    })
    app = new FormPlatform()
    testConsole.platform.script = app.script
    const expired = await pauseRun()
    app.state = 'expired'
    expect(await readForm(expired)).toMatchObject({ state: 'expired' })
    expect(await submit(expired)).toMatchObject({ status: 412, body: { message: expect.stringContaining('expired') } })
  })

  it('that the platform does not know any more is unknown', async () => {
    const run_id = await pauseRun()
    testConsole.platform.script = new FormPlatform().script
    expect(await readForm(run_id)).toMatchObject({ state: 'unknown' })
    expect(await submit(run_id)).toMatchObject({ status: 404 })
  })

  it('accepts the same answer again after a lost reply, from the platform or from the console', async () => {
    const run_id = await pauseRun()
    app.losesReply = true
    app.resumesRun = false
    expect((await submit(run_id)).status).toBe(502)
    expect(await submit(run_id)).toMatchObject({ status: 200, body: { result: 'probably_accepted' } })
    // Another answer is not ours.
    expect((await submit(run_id, { ...ANSWER, action: 'reject' })).status).toBe(412)
    expect(app.answers).toHaveLength(1)

    // What the run went on with proves whose answer it was.
    app = new FormPlatform()
    app.losesReply = true
    testConsole.platform.script = app.script
    const lost = await pauseRun()
    expect((await submit(lost)).status).toBe(502)
    await expect.poll(async () => (await readRun(lost)).status).toBe('succeeded')
    expect(await submit(lost)).toMatchObject({ status: 200, body: { result: 'already_accepted' } })
    expect(await readForm(lost)).toMatchObject({ state: 'submitted', answer: ANSWER })
    expect((await submit(lost, { ...ANSWER, action: 'reject' })).status).toBe(412)

    app = new FormPlatform()
    testConsole.platform.script = app.script
    const other = await pauseRun()
    await submit(other)
    const sent = listSubmissions().length
    expect(await submit(other)).toMatchObject({ status: 200, body: { result: 'already_accepted' } })
    expect(listSubmissions()).toHaveLength(sent)
    expect((await submit(other, { ...ANSWER, action: 'reject' })).status).toBe(412)
  })

  it('is not shown to people without access to the app, and not answered by readers', async () => {
    const run_id = await pauseRun()
    const foreign = await createPerson(testConsole, 'operator', [])
    expect((await submit(run_id, ANSWER, foreign.cookie)).status).toBe(404)
    const reader = await createPerson(testConsole, 'viewer')
    expect((await submit(run_id, ANSWER, reader.cookie)).status).toBe(403)
    expect(listSubmissions()).toEqual([])
    expect((await testConsole.fetch('GET', toFormPath(run_id, 'no-such-form'))).status).toBe(404)
  })
})

describe('the list of waiting runs', () => {
  const list = async (cookie?: string, query = '') => {
    const response = await testConsole.fetch('GET', `/api/waiting${query}`, undefined, cookie ? { cookie } : {})
    return (await response.json()) as { data: WaitingRun[]; total: number; limit: number }
  }

  it('has the forms of each run with their deadlines, the earliest first, within the scope of the person', async () => {
    const late = app
    const lateRun = await pauseRun()
    app = new FormPlatform()
    app.expiration_time = (late.expiration_time ?? 0) - 3600
    testConsole.platform.script = app.script
    const soonRun = await pauseRun()
    app = new FormPlatform()
    app.expiration_time = null
    testConsole.platform.script = app.script
    const openRun = await pauseRun()
    await expect
      .poll(async () => (await list()).data.map(({ run, forms }) => [run.id, forms.length]))
      .toEqual([
        [soonRun, 1],
        [lateRun, 1],
        [openRun, 1],
      ])
    const { data, total } = await list(undefined, '?limit=1')
    expect(total).toBe(3)
    expect(data).toMatchObject([
      { run: { id: soonRun, status: 'paused' }, forms: [{ node_title: 'Ask a person', can_answer: true }] },
    ])
    expect(JSON.stringify(data)).not.toContain('tok-')
    const foreign = await createPerson(testConsole, 'viewer', [])
    expect(await list(foreign.cookie)).toMatchObject({ data: [], total: 0 })
    const narrowed = await createPerson(testConsole, 'viewer', [[testConsole.workspace, testConsole.keys.workflow]])
    expect((await list(narrowed.cookie)).total).toBe(3)
  })

  it('loses a run that went on', async () => {
    const run_id = await pauseRun()
    await submit(run_id)
    await expect.poll(async () => (await readRun(run_id)).status).toBe('succeeded')
    expect((await list()).total).toBe(0)
  })
})
