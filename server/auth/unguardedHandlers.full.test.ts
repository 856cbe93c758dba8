import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Endpoint, isForm } from '#contract/endpoint.ts'
import {
  toFormFields,
  toFormRequest,
  listIdFields,
  type IdField,
  routeEntries,
  toSampleRequest,
  withField,
} from './idFields.testing.ts'
import { TwoWorkspaces } from './twoWorkspaces.testing.ts'

// The guard of all routes is off here: what refuses is the handler that uses the id.
vi.mock('./resourceScopeGuard.ts', () => ({ requireIdsInScope: () => Promise.resolve() }))

let twoWorkspaces: TwoWorkspaces
beforeAll(async () => {
  twoWorkspaces = await TwoWorkspaces.start()
})
afterAll(() => twoWorkspaces.remove())

/** Fields of own routes that only narrow what is found within reach: a foreign id in them does what an unknown one does. */
const FILTER_FIELDS = new Set(['POST /api/annotations/similar body.not'])
/** Values of fields that a sample of the contract cannot know. */
const EXTRA_FIELDS: Record<string, Record<string, unknown>> = {
  'POST /api/batches': { kind: 'run', settings: { user: 'u', response_mode: 'blocking' } },
}

it('a handler that uses an id out of reach refuses it by itself', async () => {
  const { foreignIds, ownIds, keys } = twoWorkspaces
  const own = (name: string) => (name === 'key' ? keys.completion : (ownIds[name] ?? randomUUID()))
  const send = (name: string, url: string, entry: Endpoint, { part, path, name: field }: IdField, id: string) => {
    const param = part === 'params' ? { [field]: id } : {}
    const partOf = (one: 'query' | 'body') =>
      (part === one ? withField(entry, one, path, id, own) : toSampleRequest(entry, one, own)) as Record<string, unknown>
    const query = Object.entries(entry.query ? partOf('query') : {}).flatMap(([key, value]) =>
      [value].flat().map((item) => [key, key === 'zone' ? 'Europe/Zurich' : String(item)]),
    )
    const at = twoWorkspaces.toPath(url, { ...twoWorkspaces.toParams(entry), ...param })
    const target = query.length > 0 ? `${at}?${new URLSearchParams(query)}` : at
    if (!entry.body) return twoWorkspaces.send(entry.method, target, entry.method === 'GET' ? undefined : {})
    const sample = partOf('body')
    const extra = Object.entries(EXTRA_FIELDS[name] ?? {}).map(([key, value]) =>
      // The field that is tried stays in it.
      [key, path.length > 1 && path[0] === key ? { ...(value as object), ...(sample[key] as object) } : value],
    )
    const body = { ...sample, ...(Object.fromEntries(extra) as object) }
    if (!isForm(entry.body)) return twoWorkspaces.send(entry.method, target, body)
    const form = toFormRequest([...toFormFields(entry, body), { name: 'file', text: 'x', isFile: true }])
    return twoWorkspaces.send(entry.method, target, form.payload, form.headers)
  } // prettier-ignore

  let refused = 0
  for (const { method, url } of twoWorkspaces.operatorRoutes) {
    const name = `${String(method)} ${url}`
    const entry = routeEntries.get(name)
    for (const field of entry ? listIdFields(entry).filter(({ isFree }) => !isFree) : []) {
      const label = `${name} ${field.part}.${field.path.join('.')}`
      const id = foreignIds[field.name] ?? foreignIds.document_id ?? ''
      const foreign = await send(name, url, entry as Endpoint, field, id)
      const isList = method === 'GET' && !url.startsWith('/api/keys/') && (field.part === 'query' || field.name === 'conversation_id')
      if (foreign.status !== 404 && (isList || FILTER_FIELDS.has(label))) {
        const unknown = await send(name, url, entry as Endpoint, field, randomUUID())
        expect([label, foreign.status, foreign.body]).toEqual([label, unknown.status, unknown.body])
      } else {
        expect([label, foreign.status, foreign.body.slice(0, 200)]).toEqual([label, 404, expect.stringMatching(/not found|There is no|has no/)])
        refused++
      }
    }
  } // prettier-ignore
  for (const path of [
    '/api/runs/:run_id/events',
    '/api/runs/:run_id/linked-file?url=https://files.example/a.png',
    '/api/batches/:batch_id/export?format=csv',
  ])
    expect([path, (await twoWorkspaces.send('GET', twoWorkspaces.toPath(path, foreignIds))).status]).toEqual([
      path,
      404,
    ])
  expect(refused).toBeGreaterThan(150)
  expect(twoWorkspaces.countPlatformCalls()).toEqual([0, 0])
})

it('so do the headers of a run and of a change', async () => {
  const { foreignIds, keys } = twoWorkspaces
  for (const header of ['run-id', 'run-parent', 'run-origin-id']) {
    const body = { query: 'q', user: 'u' }
    const { status } = await twoWorkspaces.send('POST', `/api/keys/${keys.chat}/chat-messages`, body, { [header]: foreignIds.run_id ?? '' })
    expect([header, status]).toEqual([header, 404])
  }
  const annotation = { question: 'q', answer: 'a' }
  const made = await twoWorkspaces.send('POST', `/api/keys/${keys.chat}/apps/annotations`, annotation, { 'run-parent': foreignIds.run_id ?? '' })
  expect(made.status).toBe(404)
  expect(twoWorkspaces.countPlatformCalls()).toEqual([0, 0])
}) // prettier-ignore
