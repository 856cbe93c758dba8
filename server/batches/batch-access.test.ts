import type { ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { AuditEvent } from '#contract/access.ts'
import type { Batch } from '#contract/batches.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { refuse } from '../../e2e/faults/platform.ts'
import { newPerson } from '../access/people.testing.ts'
import { Bench } from '../app.testing.ts'

const ROWS = 30
type Person = Awaited<ReturnType<typeof newPerson>>

let bench: Bench
/** Answers one row each; those of no test wait for good. */
let held: (() => void)[] = []
beforeAll(async () => {
  bench = await Bench.start()
})
afterAll(async () => {
  for (const go of held) go()
  await bench.remove()
})
beforeEach(() => {
  held = []
  bench.platform.seen.length = 0
  bench.platform.script = (seen, response) => void held.push(() => answer(seen.path, response))
})

function answer(path: string, response: ServerResponse): void {
  const id = randomUUID()
  if (path.endsWith('/annotations')) refuse(response, 201, { id, question: 'q', answer: 'a', created_at: 1 })
  else refuse(response, 200, { event: 'message', message_id: id, mode: 'completion', answer: 'a', metadata: {} })
}
const sent = () => bench.platform.seen.length
async function as<T>(person: Pick<Person, 'begin'>, method: string, path: string, body?: unknown): Promise<T> {
  const response = await bench.fetch(method, path, body, { cookie: await person.begin() })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as T
}
const make = async (person: Person, kind: KeyKind = 'completion'): Promise<string> => {
  const isRun = kind === 'completion'
  const { id } = await as<Batch>(person, 'POST', '/api/batches', {
    kind: isRun ? 'run' : 'annotations',
    key: bench.keys[kind],
    name: 'Rows',
    total: ROWS,
    ...(isRun ? { settings: { user: 'tester', response_mode: 'blocking' } } : {}),
    at_once: 2,
  })
  const inputs = isRun ? { text: 'a' } : { question: 'q', answer: 'a' }
  await as(person, 'POST', `/api/batches/${id}/rows`, { first: 1, rows: Array(ROWS).fill({ inputs }) })
  return id
}
const start = (person: Pick<Person, 'begin'>, id: string) => as(person, 'POST', `/api/batches/${id}/start`, {})
/** A batch that runs, with two rows under way. */
const run = async (person: Person, kind?: KeyKind): Promise<string> => {
  const id = await make(person, kind)
  const before = sent()
  await start(person, id)
  await vi.waitFor(() => expect(sent()).toBe(before + 2))
  return id
}
const read = (id: string) => bench.json<Batch>('GET', `/api/batches/${id}`)
const change = (person: Person, body: object) => bench.json('PATCH', `/api/people/${person.id}`, body)
/** Lets the rows under way end, and whatever follows them. @returns the batch when it no longer runs */
const settle = (id: string) =>
  vi.waitFor(
    async () => {
      for (const go of held.splice(0)) go()
      const batch = await read(id)
      expect([batch.state, batch.counts.running]).toEqual([expect.stringMatching(/paused|ended/), 0])
      return batch
    },
    { interval: 20, timeout: 10_000 },
  )
const admin = { begin: () => Promise.resolve(bench.cookie) }

it.each<[string, KeyKind, object, RegExp]>([
  ['is disabled', 'completion', { disabled: true }, / was disabled\.$/],
  ['has a lower role', 'completion', { role: 'viewer' }, /^The role of .* is now viewer\.$/],
  ['loses the grant', 'completion', { grants: [] }, / may no longer use this app\.$/],
  ['is disabled during an import of annotations', 'chat', { disabled: true }, / was disabled\.$/],
  ['loses the grant during an import of annotations', 'chat', { grants: [] }, / may no longer use this app\.$/],
])('a person who %s: their running batch pauses and says why', async (_what, kind, body, reason) => {
  const person = await newPerson(bench, 'operator', [[bench.workspace, bench.keys[kind]]])
  const id = await run(person, kind)
  await change(person, body)
  expect(await read(id)).toMatchObject({
    state: 'paused',
    pause: 'no_access',
    problem: { kind: 'denied', message: expect.stringMatching(reason) as string },
  })
  expect(await settle(id)).toMatchObject({ counts: { succeeded: 2, waiting: ROWS - 2 } })
  expect(sent()).toBe(2)
  const { data } = await bench.json<{ data: AuditEvent[] }>('GET', '/api/audit?action=batches.paused&limit=1')
  expect(data[0]).toMatchObject({ about: person.id, person: 'admin', detail: { batches: [id] } })
  await start(admin, id)
  expect(await settle(id)).toMatchObject({ state: 'ended', pause: null, problem: null, counts: { succeeded: ROWS } })
})

it('only what the person could not start now pauses', async () => {
  const both = [bench.keys.completion, bench.keys.chat].map((key) => [bench.workspace, key] as const)
  const person = await newPerson(bench, 'operator', both)
  const other = await newPerson(bench, 'operator')
  const [lost, kept, theirs] = [await run(person), await run(person, 'chat'), await run(other)]
  await change(person, { grants: [{ workspace: bench.workspace, key: bench.keys.chat }] })
  expect((await read(lost)).state).toBe('paused')
  expect((await read(kept)).state).toBe('running')
  expect((await read(theirs)).state).toBe('running')
  await change(person, { grants: [{ workspace: bench.workspace, key: null }] })
  expect((await read(kept)).state).toBe('running')
  for (const id of [kept, theirs]) await bench.json('POST', `/api/batches/${id}/pause`)
  for (const id of [lost, kept, theirs]) await settle(id)
})

it('it is whoever started it last who counts, not whoever created it', async () => {
  const [creator, starter] = [await newPerson(bench, 'operator'), await newPerson(bench, 'operator')]
  const id = await make(creator)
  await start(starter, id)
  await change(creator, { disabled: true })
  expect((await read(id)).state).toBe('running')
  await change(starter, { role: 'viewer' })
  expect(await read(id)).toMatchObject({ state: 'paused', pause: 'no_access' })
  await settle(id)
  // A batch that an earlier version started.
  await start(admin, id)
  await bench.database.pool.query('UPDATE batches SET started_by = NULL WHERE id = $1', [id])
  await change(creator, { disabled: true })
  expect(await read(id)).toMatchObject({ state: 'paused', pause: 'no_access' })
  await settle(id)
})

it('a batch that is started while its person is disabled is paused or refused, and never runs', async () => {
  for (let round = 0; round < 5; round++) {
    const person = await newPerson(bench, 'operator')
    const id = await make(person)
    const cookie = await person.begin()
    const [started] = await Promise.all([
      bench.fetch('POST', `/api/batches/${id}/start`, {}, { cookie }),
      change(person, { disabled: true }),
    ])
    expect([200, 401, 403]).toContain(started.status)
    expect((await read(id)).state).toBe('paused')
    await settle(id)
  }
})

it('who may no longer start a batch is refused by the start itself', async () => {
  const person = await newPerson(bench, 'operator')
  const id = await make(person)
  const cookie = await person.begin()
  // The session is known and believed for two seconds; the row is what counts.
  expect((await bench.fetch('GET', '/api/session', undefined, { cookie })).status).toBe(200)
  await bench.database.pool.query(`UPDATE people SET role = 'viewer' WHERE id = $1`, [person.id])
  const started = await bench.fetch('POST', `/api/batches/${id}/start`, {}, { cookie })
  expect([started.status, await started.json()]).toEqual([
    403,
    expect.objectContaining({ kind: 'denied', message: 'You may no longer run this batch.' }) as unknown,
  ])
  expect(await read(id)).toMatchObject({ state: 'paused', pause: 'not_started' })
})
