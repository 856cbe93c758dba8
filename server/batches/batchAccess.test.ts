import type { ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import type { AuditEvent } from '#contract/console/people.ts'
import type { Batch } from '#contract/console/batches.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { createPerson } from '../auth/people.testing.ts'
import { TestConsole } from '../app.testing.ts'
import { BatchStore } from './batchStore.ts'

const ROW_COUNT = 30
type Person = Awaited<ReturnType<typeof createPerson>>

const testConsole = TestConsole.forFile()
/** Answers one row each; those of no test wait for good. */
let pendingAnswers: (() => void)[] = []
afterAll(() => {
  for (const go of pendingAnswers) go()
})
beforeEach(() => {
  pendingAnswers = []
  testConsole.platform.requests.length = 0
  testConsole.platform.script = (seen, response) => void pendingAnswers.push(() => answer(seen.path, response))
})

function answer(path: string, response: ServerResponse): void {
  const id = randomUUID()
  if (path.endsWith('/annotations')) sendError(response, 201, { id, question: 'q', answer: 'a', created_at: 1 })
  else sendError(response, 200, { event: 'message', message_id: id, mode: 'completion', answer: 'a', metadata: {} })
}
const countSentRows = () => testConsole.platform.requests.length
async function sendAs<T>(person: Pick<Person, 'begin'>, method: string, path: string, body?: unknown): Promise<T> {
  const response = await testConsole.fetch(method, path, body, { cookie: await person.begin() })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as T
}
const createBatch = async (person: Person, kind: KeyKind = 'completion'): Promise<string> => {
  const isRun = kind === 'completion'
  const { id } = await sendAs<Batch>(person, 'POST', '/api/batches', {
    kind: isRun ? 'run' : 'annotations',
    key: testConsole.keys[kind],
    name: 'Rows',
    total: ROW_COUNT,
    ...(isRun ? { settings: { user: 'tester', response_mode: 'blocking' } } : {}),
    at_once: 2,
  })
  const inputs = isRun ? { text: 'a' } : { question: 'q', answer: 'a' }
  await sendAs(person, 'POST', `/api/batches/${id}/rows`, { first: 1, rows: Array(ROW_COUNT).fill({ inputs }) })
  return id
}
const start = (person: Pick<Person, 'begin'>, id: string) => sendAs(person, 'POST', `/api/batches/${id}/start`, {})
/** A batch that runs, with two rows under way. */
const run = async (person: Person, kind?: KeyKind): Promise<string> => {
  const id = await createBatch(person, kind)
  const before = countSentRows()
  await start(person, id)
  await vi.waitFor(() => expect(countSentRows()).toBe(before + 2))
  return id
}
const read = (id: string) => testConsole.json<Batch>('GET', `/api/batches/${id}`)
const change = (person: Person, body: object) => testConsole.json('PATCH', `/api/people/${person.id}`, body)
/** Lets the rows under way end, and whatever follows them. @returns the batch when it no longer runs */
const waitUntilStopped = (id: string) =>
  vi.waitFor(
    async () => {
      for (const go of pendingAnswers.splice(0)) go()
      const batch = await read(id)
      expect([batch.state, batch.counts.running]).toEqual([expect.stringMatching(/paused|ended/), 0])
      return batch
    },
    { interval: 20, timeout: 10_000 },
  )
const admin = { begin: () => Promise.resolve(testConsole.cookie) }

it.each<[string, KeyKind, object, RegExp]>([
  ['is disabled', 'completion', { disabled: true }, / was disabled\.$/],
  ['has a lower role', 'completion', { role: 'viewer' }, /^The role of .* is now viewer\.$/],
  ['loses the grant', 'completion', { grants: [] }, / may no longer use this app\.$/],
  ['is disabled during an import of annotations', 'chat', { disabled: true }, / was disabled\.$/],
  ['loses the grant during an import of annotations', 'chat', { grants: [] }, / may no longer use this app\.$/],
])('a person who %s: their running batch pauses and says why', async (_what, kind, body, reason) => {
  const person = await createPerson(testConsole, 'operator', [[testConsole.workspace, testConsole.keys[kind]]])
  const id = await run(person, kind)
  await change(person, body)
  expect(await read(id)).toMatchObject({
    state: 'paused',
    pause: 'no_access',
    problem: { kind: 'denied', message: expect.stringMatching(reason) as string },
  })
  expect(await waitUntilStopped(id)).toMatchObject({ counts: { succeeded: 2, waiting: ROW_COUNT - 2 } })
  expect(countSentRows()).toBe(2)
  const data = await testConsole.list<AuditEvent>('/api/audit?action=batches.paused&limit=1')
  expect(data[0]).toMatchObject({ about: person.id, person: 'admin', detail: { batches: [id] } })
  await start(admin, id)
  expect(await waitUntilStopped(id)).toMatchObject({
    state: 'ended',
    pause: null,
    problem: null,
    counts: { succeeded: ROW_COUNT },
  })
})

it('only what the person could not start now pauses', async () => {
  const both = [testConsole.keys.completion, testConsole.keys.chat].map((key) => [testConsole.workspace, key] as const)
  const person = await createPerson(testConsole, 'operator', both)
  const other = await createPerson(testConsole, 'operator')
  const [lost, kept, theirs] = [await run(person), await run(person, 'chat'), await run(other)]
  await change(person, { grants: [{ workspace: testConsole.workspace, key: testConsole.keys.chat }] })
  expect((await read(lost)).state).toBe('paused')
  expect((await read(kept)).state).toBe('running')
  expect((await read(theirs)).state).toBe('running')
  await change(person, { grants: [{ workspace: testConsole.workspace, key: null }] })
  expect((await read(kept)).state).toBe('running')
  for (const id of [kept, theirs]) await testConsole.json('POST', `/api/batches/${id}/pause`)
  for (const id of [lost, kept, theirs]) await waitUntilStopped(id)
})

it('it is whoever started it last who counts, not whoever created it', async () => {
  const [creator, starter] = [await createPerson(testConsole, 'operator'), await createPerson(testConsole, 'operator')]
  const id = await createBatch(creator)
  await start(starter, id)
  await change(creator, { disabled: true })
  expect((await read(id)).state).toBe('running')
  await change(starter, { role: 'viewer' })
  expect(await read(id)).toMatchObject({ state: 'paused', pause: 'no_access' })
  await waitUntilStopped(id)
  // A batch that an earlier version started.
  await start(admin, id)
  await testConsole.query('UPDATE batches SET started_by = NULL WHERE id = $1', [id])
  await change(creator, { disabled: true })
  expect(await read(id)).toMatchObject({ state: 'paused', pause: 'no_access' })
  await waitUntilStopped(id)
})

it('a retry by somebody who may not start the batch changes no row', async () => {
  const person = await createPerson(testConsole, 'operator')
  const id = await run(person)
  await testConsole.json('POST', `/api/batches/${id}/pause`)
  const { counts } = await waitUntilStopped(id)
  await change(person, { role: 'viewer' })
  const store = new BatchStore(testConsole.database, undefined as never)
  await expect(store.retry(id, ['succeeded'], undefined, person.id)).rejects.toMatchObject({ problem: { status: 403 } })
  expect((await read(id)).counts).toEqual(counts)
})

it('a batch that is started while its person is disabled is paused or refused, and never runs', async () => {
  for (let round = 0; round < 5; round++) {
    const person = await createPerson(testConsole, 'operator')
    const id = await createBatch(person)
    const cookie = await person.begin()
    const [started] = await Promise.all([
      testConsole.fetch('POST', `/api/batches/${id}/start`, {}, { cookie }),
      change(person, { disabled: true }),
    ])
    expect([200, 401, 403]).toContain(started.status)
    expect((await read(id)).state).toBe('paused')
    await waitUntilStopped(id)
  }
})

it('who may no longer start a batch is refused by the start itself', async () => {
  const person = await createPerson(testConsole, 'operator')
  const id = await createBatch(person)
  const cookie = await person.begin()
  // The session is known and believed for two seconds; the row is what counts.
  expect((await testConsole.fetch('GET', '/api/session', undefined, { cookie })).status).toBe(200)
  await testConsole.query(`UPDATE people SET role = 'viewer' WHERE id = $1`, [person.id])
  const started = await testConsole.fetch('POST', `/api/batches/${id}/start`, {}, { cookie })
  expect([started.status, await started.json()]).toEqual([
    403,
    expect.objectContaining({ kind: 'denied', message: 'You may no longer run this batch.' }) as unknown,
  ])
  expect(await read(id)).toMatchObject({ state: 'paused', pause: 'not_started' })
})
