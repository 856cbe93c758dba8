import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Endpoint, isForm } from '#contract/endpoint.ts'
import { formFields, formOf, idFields, type IdField, routeEntries, sampleOf, withField } from './id-fields.testing.ts'
import { TwoWorkspaces } from './two-workspaces.testing.ts'

// The guard of all routes is off here: what refuses is the handler that uses the id.
vi.mock('./foreign.ts', () => ({ refuseForeign: () => Promise.resolve() }))

let two: TwoWorkspaces
beforeAll(async () => {
  two = await TwoWorkspaces.start()
})
afterAll(() => two.remove())

/** Fields of own routes that only narrow what is found within reach: a foreign id in them does what an unknown one does. */
const FILTERS = new Set(['POST /api/annotations/alike body.not'])
/** Values of fields that a sample of the contract cannot know. */
const VALUES: Record<string, Record<string, unknown>> = {
  'POST /api/batches': { kind: 'run', settings: { user: 'u', response_mode: 'blocking' } },
}

it('a handler that uses an id out of reach refuses it by itself', async () => {
  const { theirs, mine, keys } = two
  const own = (name: string) => (name === 'key' ? keys.completion : (mine[name] ?? randomUUID()))
  const send = (name: string, url: string, entry: Endpoint, { part, path, name: field }: IdField, id: string) => {
    const param = part === 'params' ? { [field]: id } : {}
    const partOf = (one: 'query' | 'body') =>
      (part === one ? withField(entry, one, path, id, own) : sampleOf(entry, one, own)) as Record<string, unknown>
    const query = Object.entries(entry.query ? partOf('query') : {}).flatMap(([key, value]) =>
      [value].flat().map((item) => [key, key === 'zone' ? 'Europe/Zurich' : String(item)]),
    )
    const at = two.pathWith(url, { ...two.paramsFor(entry), ...param })
    const target = query.length > 0 ? `${at}?${new URLSearchParams(query)}` : at
    if (!entry.body) return two.ask(entry.method, target, entry.method === 'GET' ? undefined : {})
    const body = { ...partOf('body'), ...VALUES[name] }
    if (!isForm(entry.body)) return two.ask(entry.method, target, body)
    const form = formOf([...formFields(entry, body), { name: 'file', text: 'x', isFile: true }])
    return two.ask(entry.method, target, form.payload, form.headers)
  } // prettier-ignore

  let refused = 0
  for (const { method, url } of two.routes) {
    const name = `${String(method)} ${url}`
    const entry = routeEntries.get(name)
    for (const field of entry ? idFields(entry).filter(({ isFree }) => !isFree) : []) {
      const label = `${name} ${field.part}.${field.path.join('.')}`
      const id = theirs[field.name] ?? theirs.document_id ?? ''
      const foreign = await send(name, url, entry as Endpoint, field, id)
      const isList = method === 'GET' && !url.startsWith('/api/keys/') && (field.part === 'query' || field.name === 'conversation_id')
      if (foreign.status !== 404 && (isList || FILTERS.has(label))) {
        const unknown = await send(name, url, entry as Endpoint, field, randomUUID())
        expect([label, foreign.status, foreign.body]).toEqual([label, unknown.status, unknown.body])
      } else {
        expect([label, foreign.status, foreign.body.slice(0, 200)]).toEqual([label, 404, expect.stringContaining('There is no')])
        refused++
      }
    }
  } // prettier-ignore
  for (const path of ['/api/runs/:run_id/events', '/api/batches/:batch_id/export?format=csv'])
    expect([path, (await two.ask('GET', two.pathWith(path, theirs))).status]).toEqual([path, 404])
  expect(refused).toBeGreaterThan(150)
  expect(two.calls()).toEqual([0, 0])
})

it('so do the headers of a run and of a change', async () => {
  const { theirs, keys } = two
  for (const header of ['run-id', 'run-parent']) {
    const body = { query: 'q', user: 'u' }
    const { status } = await two.ask('POST', `/api/keys/${keys.chat}/chat-messages`, body, { [header]: theirs.run_id ?? '' })
    expect([header, status]).toEqual([header, 404])
  }
  const annotation = { question: 'q', answer: 'a' }
  const made = await two.ask('POST', `/api/keys/${keys.chat}/apps/annotations`, annotation, { 'run-parent': theirs.run_id ?? '' })
  expect(made.status).toBe(404)
  expect(two.calls()).toEqual([0, 0])
}) // prettier-ignore
