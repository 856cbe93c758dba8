import { createHmac, randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Webhook, WebhookDelivery } from '#contract/console/webhooks.ts'
import type { Problem } from '#contract/problem.ts'
import { FormPlatform } from '#support/platforms/formPlatform.ts'
import { type RecordedRequest, ScriptedPlatform, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { createEgressPolicy } from '../vault/egressPolicy.ts'
import { signWebhookBody, WebhookSender } from './webhookSender.ts'
import { addWebhookEvent, claimWebhookEvents, recordWebhookAttempt, RETRY_DELAYS_MS } from './webhookOutbox.ts'
import { WebhookService } from './webhookService.ts'

const SECRET = 'a-secret-of-the-receiver'
type SavedWebhook = { webhook: Webhook; secret: string }

const testConsole = TestConsole.forFile()
let receiver: ScriptedPlatform
let form: FormPlatform
beforeAll(async () => {
  receiver = await ScriptedPlatform.start()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  form = new FormPlatform()
  testConsole.platform.script = form.script
  receiver.requests.length = 0
  receiver.script = (_seen, response) => void response.writeHead(204).end()
  await testConsole.query('DELETE FROM webhooks')
  await testConsole.query('DELETE FROM webhook_events')
  await testConsole.query("UPDATE keys SET health = 'healthy'")
})

const toHook = (path = '/hook?token=receiver-secret') => receiver.url.replace(/\/v1$/, path)
const webhookPath = () => `/api/workspaces/${testConsole.workspace}/webhook`
const setWebhook = (url = toHook(), secret: string | undefined = SECRET) =>
  testConsole.json<{ webhook: Webhook; secret: string | null }>('PUT', webhookPath(), { url, secret })
const readWebhook = async () => (await testConsole.json<{ webhook: Webhook | null }>('GET', webhookPath())).webhook
const test = () => testConsole.json<WebhookDelivery>('POST', `${webhookPath()}/test`)
const ofEvent = (event: string) => receiver.requests.filter(({ headers }) => headers['loupe-event'] === event)
const toBody = ({ body }: RecordedRequest) => JSON.parse(body) as Record<string, unknown>

async function pauseRun(): Promise<string> {
  const run_id = randomUUID()
  const path = `/api/keys/${testConsole.keys.workflow}/workflows/run`
  const body = { inputs: {}, user: 'mira', response_mode: 'streaming' }
  await (await testConsole.fetch('POST', path, body, { 'run-id': run_id })).text()
  return run_id
}

describe('a paused run', () => {
  it('is announced once by a signed request, without token and key', async () => {
    await setWebhook()
    const run_id = await pauseRun()
    await expect.poll(() => ofEvent('run.paused').length).toBe(1)
    const [request] = ofEvent('run.paused') as [RecordedRequest]
    expect(request).toMatchObject({ method: 'POST', path: '/hook?token=receiver-secret' })
    const id = String(request.headers['loupe-event-id'])
    const deadline = new Date((form.expiration_time ?? 0) * 1000).toISOString()
    expect(toBody(request)).toEqual({
      id,
      event: 'run.paused',
      created_at: expect.any(String) as string,
      workspace: { id: testConsole.workspace, name: 'Scripted' },
      app: { id: testConsole.keys.workflow, label: 'the workflow key', kind: 'workflow' },
      run: {
        id: run_id,
        workflow_run_id: form.workflow_run_id,
        url: `/runs/${run_id}?workspace=${testConsole.workspace}`,
      },
      forms: [{ form_id: form.form_id, title: 'Ask a person', expires_at: deadline }],
      deadline,
    })
    expect(request.body).not.toContain(form.form_token)
    expect(request.body).not.toContain(testConsole.secretKey)
    expect(request.headers.authorization).toBeUndefined()
    const [, sentAt, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['loupe-signature'])) ?? []
    expect(createHmac('sha256', SECRET).update(`${sentAt}.${request.body}`).digest('hex')).toBe(digest)
    expect(Math.abs(Date.now() / 1000 - Number(sentAt))).toBeLessThan(60)
    await expect.poll(async () => (await readWebhook())?.last_delivery?.state).toBe('delivered')
  })

  it('of a workspace without a webhook is announced to nobody, also not later', async () => {
    const run_id = await pauseRun()
    const readPaused = () => testConsole.query('SELECT 1 FROM paused_runs WHERE run_id = $1', [run_id])
    await expect.poll(readPaused).toHaveLength(1)
    await setWebhook()
    await test()
    expect(ofEvent('run.paused')).toEqual([])
  })
})

it('a key that is refused is announced at the change, not at every request', async () => {
  await setWebhook()
  const refuse = () =>
    testConsole.fetch('GET', `/api/keys/${testConsole.keys.chat}/parameters`).then((response) => response.text())
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 401, { code: 'unauthorized', message: 'Access token is invalid', status: 401 })
  await refuse()
  await refuse()
  await expect.poll(() => ofEvent('key.refused').length).toBe(1)
  expect(toBody(ofEvent('key.refused')[0] as RecordedRequest)).toMatchObject({
    app: { id: testConsole.keys.chat, label: 'the chat key', kind: 'chat' },
  })
  testConsole.platform.script = (_seen, response) => sendError(response, 200, { user_input_form: [] })
  await refuse()
  await expect.poll(() => testConsole.readKey(testConsole.keys.chat)).toMatchObject({ health: 'healthy' })
  testConsole.platform.script = (_seen, response) => sendError(response, 401, { code: 'unauthorized', status: 401 })
  await refuse()
  await expect.poll(() => ofEvent('key.refused').length).toBe(2)
})

describe('the settings', () => {
  it('never show the URL or the secret; a created secret is shown once and signs', async () => {
    const created = { url: toHook() }
    const { secret, webhook } = await testConsole.json<SavedWebhook>('PUT', webhookPath(), created)
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    expect(JSON.stringify([webhook, await readWebhook()])).not.toMatch(/receiver-secret|whsec/)
    expect(webhook.origin).toBe(new URL(toHook()).origin)
    const rows = await testConsole.query('SELECT * FROM webhooks')
    expect(JSON.stringify(rows)).not.toMatch(/receiver-secret|whsec/)
    expect(await test()).toMatchObject({ state: 'delivered', status: 204, attempts: 1, problem: null })
    const [request] = receiver.requests as [RecordedRequest]
    const sentAt = Number(/t=(\d+)/.exec(String(request.headers['loupe-signature']))?.[1])
    expect(request.headers['loupe-signature']).toBe(signWebhookBody(secret, sentAt, request.body))
    expect(testConsole.log).not.toMatch(/receiver-secret|whsec/)
  })

  it('survive a new master key', async () => {
    await setWebhook()
    const before = await testConsole.query<{ sealed: string }>('SELECT sealed FROM webhooks')
    await testConsole.json('POST', '/api/vault/renew')
    const after = await testConsole.query<{ sealed: string }>('SELECT sealed FROM webhooks')
    expect(after[0]?.sealed).not.toBe(before[0]?.sealed)
    expect(await test()).toMatchObject({ state: 'delivered' })
  })

  it.each([
    ['no URL', 'nowhere'],
    ['another protocol', 'ftp://host/hook'],
    ['credentials', 'https://me:secret@host/hook'],
    ['cloud metadata', 'http://169.254.169.254/latest'],
  ])('refuse %s', async (_, url) => {
    const response = await testConsole.fetch('PUT', webhookPath(), { url })
    expect(response.status).toBe(400)
    expect(((await response.json()) as Problem).fields).toMatchObject([{ path: 'body.url' }])
    expect(await readWebhook()).toBeNull()
  })

  it('refuse the address of the console itself', async () => {
    expect((await testConsole.fetch('PUT', webhookPath(), { url: `${testConsole.url}/hook` })).status).toBe(400)
  })

  it('are deleted with their events', async () => {
    await setWebhook()
    await testConsole.json('DELETE', webhookPath())
    expect(await readWebhook()).toBeNull()
    expect((await testConsole.fetch('POST', `${webhookPath()}/test`)).status).toBe(404)
    expect((await testConsole.fetch('DELETE', webhookPath())).status).toBe(404)
  })
})

describe('a delivery', () => {
  it('that fails is repeated with the same id and body until it is accepted', async () => {
    receiver.script = (_seen, response) => void response.writeHead(receiver.requests.length < 2 ? 500 : 200).end()
    await setWebhook()
    await pauseRun()
    await expect
      .poll(async () => (await readWebhook())?.last_delivery)
      .toMatchObject({ state: 'retrying', status: 500, attempts: 1, problem: 'The receiver answered 500.' })
    await testConsole.query('UPDATE webhook_events SET next_attempt_at = now()')
    await expect.poll(async () => (await readWebhook())?.last_delivery?.state).toBe('delivered')
    const [first, second] = ofEvent('run.paused') as [RecordedRequest, RecordedRequest]
    expect(second.body).toBe(first.body)
    expect(second.headers['loupe-event-id']).toBe(first.headers['loupe-event-id'])
  })

  it('is given up after the last retry', async () => {
    await setWebhook()
    const { pool } = testConsole.database
    const id = (await addWebhookEvent(pool, testConsole.workspace, 'key.refused', {})) ?? ''
    const event = { id, event: 'key.refused' as const }
    const now = new Date()
    const failure = { status: 503, problem: 'The receiver answered 503.' }
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      const row = await recordWebhookAttempt(pool, { ...event, attempts: index + 1 }, failure, now)
      expect(row?.next_attempt_at?.getTime()).toBe(now.getTime() + delayMs)
    }
    const last = await recordWebhookAttempt(pool, { ...event, attempts: RETRY_DELAYS_MS.length + 1 }, failure, now)
    expect(last).toMatchObject({ next_attempt_at: null, delivered_at: null, http_status: 503 })
  })

  it('is deleted after seven days, also while no event is due', async () => {
    await setWebhook()
    const { database } = testConsole
    const { vault } = testConsole.console
    const age = async (id: string | null, days: number) => {
      await database.pool.query(
        'UPDATE webhook_events SET next_attempt_at = NULL, created_at = now() - make_interval(days => $2) WHERE id = $1',
        [id, days],
      )
      return id
    }
    const addEvent = () => addWebhookEvent(database.pool, testConsole.workspace, 'key.refused', {})
    await age(await addEvent(), 8)
    const kept = await age(await addEvent(), 6)
    const egressPolicy = createEgressPolicy({ loopbackOnly: false, allow: '' })
    const log = pino({ level: 'silent' })
    const webhooks = new WebhookService({ database, vault, egressPolicy, log })
    webhooks.runSoon()
    await webhooks.whenIdle()
    const { rows } = await database.pool.query('SELECT id FROM webhook_events')
    expect(rows).toEqual([{ id: kept }])
    await webhooks.close()
  })

  it('is claimed by one of several servers, and again by another one if that one dies', async () => {
    await setWebhook()
    const { pool } = testConsole.database
    testConsole.console.webhooks.pause()
    await testConsole.console.webhooks.whenIdle()
    await addWebhookEvent(pool, testConsole.workspace, 'key.refused', {})
    const now = new Date(Date.now() + 1_000)
    expect(await claimWebhookEvents(pool, now, 5)).toHaveLength(1)
    expect(await claimWebhookEvents(pool, now, 5)).toEqual([])
    expect(await claimWebhookEvents(pool, new Date(now.getTime() + 120_000), 5)).toMatchObject([{ attempts: 2 }])
    testConsole.console.webhooks.start()
  })

  it('follows no redirect', async () => {
    receiver.script = (_seen, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    await setWebhook()
    expect(await test()).toMatchObject({
      state: 'given_up',
      status: 302,
      problem: 'The receiver answered 302, a redirect. Redirects are not followed.',
    })
    expect(receiver.requests).toHaveLength(1)
  })

  it('reaches no address that the egress policy refuses, though its name was allowed once', async () => {
    const refusing = new WebhookSender(createEgressPolicy({ loopbackOnly: false, allow: '' }))
    const event = { id: randomUUID(), event: 'run.paused', body: '{}' }
    for (const url of [toHook(), toHook().replace('127.0.0.1', 'localhost')])
      expect(await refusing.send({ url, secret: SECRET }, event)).toEqual({
        status: null,
        problem: expect.stringContaining('The console does not send requests to') as string,
      })
    await refusing.close()
    expect(receiver.requests).toEqual([])
  })
})
