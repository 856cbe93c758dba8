import { beforeEach, expect, test, vi } from 'vitest'
import { joinAnswer, createHit, type OpenApps } from '../apps.fixture.ts'
import { annotationJobs, annotationReplies, annotations } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, serveModel, database } = setupApps()
beforeEach(async () => {
  await database().db.delete(annotations)
  await database().db.delete(annotationReplies)
})
const ENABLED_SETTINGS = { score_threshold: 0.8, embedding_provider_name: null, embedding_model_name: null }

async function setAnnotationReply(platform: OpenApps, action: 'enable' | 'disable', body: object = ENABLED_SETTINGS) {
  const started = await platform.call('chat', 'POST', `/apps/annotation-reply/${action}`, body)
  expect(started).toEqual({ status: 200, body: { job_id: expect.any(String), job_status: 'waiting' } })
  const path = `/apps/annotation-reply/${action}/status/${String(started.body['job_id'])}`
  return vi.waitFor(async () => {
    const { body } = await platform.call('chat', 'GET', path)
    expect(['completed', 'error']).toContain(body['job_status'])
    return body
  })
}
const create = async (platform: OpenApps, question: string, answer: string) =>
  (await platform.call('chat', 'POST', '/apps/annotations', { question, answer })).body
const ask = (platform: OpenApps, query: string) => platform.stream('chat', '/chat-messages', { query, user: 'ada' })

test('an annotation is created, listed, found by a word, changed and deleted', async () => {
  const platform = await serve()
  const created = await platform.call('chat', 'POST', '/apps/annotations', { question: ' 100% wool? ', answer: 'Yes.' })
  const expected = {
    id: expect.any(String),
    question: '100% wool?',
    answer: 'Yes.',
    hit_count: 0,
    created_at: expect.any(Number),
  }
  expect(created).toEqual({ status: 200, body: expected })
  await create(platform, 'Cotton?', 'No.')
  const list = (query = '') => platform.call('chat', 'GET', `/apps/annotations${query}`)
  expect((await list('?limit=1')).body).toMatchObject({
    total: 2,
    has_more: true,
    page: 1,
    limit: 1,
    data: [{ question: 'Cotton?' }],
  })
  expect((await list('?keyword=0%25%20W')).body).toMatchObject({ total: 1, data: [{ question: '100% wool?' }] })
  expect((await list(`?keyword=${encodeURIComponent('ＷÓＯＬ')}`)).body).toMatchObject({ total: 1 })
  expect((await list('?keyword=%25%25')).body).toMatchObject({ total: 0, data: [] })
  const path = `/apps/annotations/${String(created.body['id'])}`
  const changed = await platform.call('chat', 'PUT', path, { question: 'Wool?', answer: 'All of it.' })
  expect(changed).toEqual({ status: 200, body: { ...expected, question: 'Wool?', answer: 'All of it.' } })
  // Annotations belong to their application.
  expect((await platform.call('completion', 'GET', '/apps/annotations')).body).toMatchObject({ total: 0 })
  expect((await platform.call('completion', 'DELETE', path)).status).toBe(404)
  expect(await platform.call('chat', 'DELETE', path)).toEqual({ status: 204, body: null })
  expect((await platform.call('chat', 'DELETE', path)).status).toBe(404)
  expect((await platform.call('chat', 'PUT', path, { question: 'a', answer: 'b' })).status).toBe(404)
})

test('turned on, an annotation answers what is alike enough, counts the hit and says so', async () => {
  const platform = await serve({ find: () => [createHit(1, 'The shop is closed on Monday.')] })
  const { id } = await create(platform, 'When does the shop open?', 'At nine.')
  expect(joinAnswer(await ask(platform, 'When does the shop open?'))).not.toBe('At nine.')
  expect(await setAnnotationReply(platform, 'enable')).toMatchObject({ job_status: 'completed', error_msg: '' })
  expect((await platform.call('chat', 'GET', '/parameters')).body).toMatchObject({
    annotation_reply: { enabled: true },
  })
  const events = await ask(platform, 'when does the SHOP open')
  expect(events.map(({ event }) => event)).toEqual(['message', 'message_end'])
  expect(joinAnswer(events)).toBe('At nine.')
  expect(events.at(-1)?.['metadata']).toMatchObject({
    model: 'annotation',
    retriever_resources: [],
    usage: { total_tokens: 0 },
    annotation_reply: { id, question: 'When does the shop open?', score: 1, account: { id: expect.any(String) } },
  })
  expect(joinAnswer(await ask(platform, 'On which day is the shop closed?'))).toContain('Monday')
  // A new annotation, and a changed one, answer from the next question on.
  const { id: second } = await create(platform, 'Where is the shop?', 'In the square.')
  expect(joinAnswer(await ask(platform, 'Where is the shop?'))).toBe('In the square.')
  await platform.call('chat', 'PUT', `/apps/annotations/${String(second)}`, {
    question: 'Where is the shop?',
    answer: 'Moved.',
  })
  expect(joinAnswer(await ask(platform, 'Where is the shop?'))).toBe('Moved.')
  await platform.call('chat', 'DELETE', `/apps/annotations/${String(second)}`)
  expect(joinAnswer(await ask(platform, 'Where is the shop?'))).not.toBe('Moved.')
  const { data } = (await platform.call('chat', 'GET', '/apps/annotations?keyword=open')).body as { data: unknown[] }
  expect(data).toMatchObject([{ id, hit_count: 1 }])
  expect(await setAnnotationReply(platform, 'disable')).toMatchObject({ job_status: 'completed' })
  expect(joinAnswer(await ask(platform, 'When does the shop open?'))).not.toBe('At nine.')
})

test('with an embedding model questions are compared by meaning, new ones too', async () => {
  const meaning = (text: string) => (/open|doors|hours/i.test(text) ? [1, 0.1] : [0.1, 1])
  const { platform } = await serveModel({ vector: meaning }, {}, 'vectors')
  await create(platform, 'What are your hours?', 'Nine to five.')
  expect(await setAnnotationReply(platform, 'enable')).toMatchObject({ job_status: 'completed' })
  expect(joinAnswer(await ask(platform, 'When do the doors go up?'))).toBe('Nine to five.')
  await create(platform, 'What does it cost?', 'Ten.')
  await vi.waitFor(async () => expect(joinAnswer(await ask(platform, 'And the price of it?'))).toBe('Ten.'))
  await setAnnotationReply(platform, 'disable')
})

test('a job whose model cannot embed ends with the reason, and annotation reply stays off', async () => {
  const { platform } = await serveModel({ refuse: { status: 404, message: 'no such model' } }, {}, 'another')
  await create(platform, 'Is it on?', 'Yes.')
  const job = await setAnnotationReply(platform, 'enable')
  expect(job).toMatchObject({ job_status: 'error', error_msg: expect.stringContaining('no such model') })
  expect((await platform.call('chat', 'GET', '/parameters')).body).toMatchObject({
    annotation_reply: { enabled: false },
  })
})

test.each([
  { orders: ['disable'], enabled: false },
  { orders: ['disable', 'enable'], enabled: true },
] as const)('while it is being turned on, the last of the orders counts: $orders', async ({ orders, enabled }) => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  let now = Date.now()
  const { endpoint, platform } = await serveModel({ hold }, { clock: () => now++ }, 'vectors')
  await create(platform, 'Is it on?', 'Yes.')
  const { body } = await platform.call('chat', 'POST', '/apps/annotation-reply/enable', ENABLED_SETTINGS)
  await vi.waitFor(() => expect(endpoint.embedded).toHaveLength(1))
  const jobs = [{ action: 'enable', id: body['job_id'] }]
  for (const action of orders) {
    const ordered = await platform.call('chat', 'POST', `/apps/annotation-reply/${action}`, ENABLED_SETTINGS)
    jobs.push({ action, id: ordered.body['job_id'] })
  }
  release()
  for (const { action, id } of jobs)
    await vi.waitFor(async () => {
      const job = await platform.call('chat', 'GET', `/apps/annotation-reply/${action}/status/${String(id)}`)
      expect(job.body).toMatchObject({ job_status: 'completed' })
    })
  expect((await platform.call('chat', 'GET', '/parameters')).body).toMatchObject({ annotation_reply: { enabled } })
})

test('a job that was cut off goes on at the next start', async () => {
  const id = '66666666-6666-4666-8666-666666666666'
  await database().db.insert(annotationJobs).values({
    app: 'completion',
    id,
    action: 'enable',
    status: 'processing',
    score_threshold: 0.5,
    created_at: new Date(),
  })
  const platform = await serve()
  await vi.waitFor(async () => {
    const { body } = await platform.call('completion', 'GET', `/apps/annotation-reply/enable/status/${id}`)
    expect(body['job_status']).toBe('completed')
  })
})

test('a job is known by its application and its action', async () => {
  const platform = await serve()
  const { job_id } = await setAnnotationReply(platform, 'disable')
  for (const [app, path] of [
    ['chat', `/apps/annotation-reply/enable/status/${String(job_id)}`],
    ['completion', `/apps/annotation-reply/disable/status/${String(job_id)}`],
    ['chat', '/apps/annotation-reply/disable/status/77777777-7777-4777-8777-777777777777'],
  ] as const)
    expect(await platform.call(app, 'GET', path)).toMatchObject({ status: 400, body: { code: 'invalid_param' } })
})
