import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, fillPath, getPathParamNames, PathSegmentId } from './endpoint.ts'
import { contract } from './index.ts'
import { platformEntryList, SAMPLE_ID, findRefusedFields, makeSamples } from './samples.testing.ts'

test('every entry of contract.adjacent says that it is adjacent, and no request is described twice', () => {
  expect(Object.values(contract.adjacent).every((entry) => entry.optional)).toBe(true)
  const requests = platformEntryList.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
  expect(new Set(requests).size).toBe(requests.length)
})

test('reads touch nothing, and what a write touches is shown by some read', () => {
  const shown = new Set([...platformEntryList, ...Object.entries(contract.console)].flatMap(([, entry]) => entry.tags))
  const reads = platformEntryList.filter(([, { method }]) => method === 'GET')
  expect(reads.length).toBeGreaterThan(0)
  for (const [name, entry] of reads) expect([name, entry.invalidates]).toEqual([name, []])
  for (const [, entry] of platformEntryList) {
    for (const touched of entry.invalidates) expect(shown).toContain(touched)
  }
})

describe('ids in paths', () => {
  const bad = [
    '..',
    '.',
    '',
    '%2e%2e%2f',
    'a/b',
    `${SAMPLE_ID}/..`,
    `${SAMPLE_ID}\n`,
    'a b',
    'a?b',
    'ä',
    'x'.repeat(129),
  ]
  const withParams = platformEntryList.filter(([, entry]) => getPathParamNames(entry.path).length > 0)

  test.each(withParams)('%s refuses each that is none', (_, entry) => {
    const good = makeSamples(entry).params as object
    expect(entry.params.safeParse(good).success).toBe(true)
    for (const name of getPathParamNames(entry.path))
      for (const wrong of bad)
        expect([wrong, findRefusedFields(entry.params, { ...good, [name]: wrong }, 'params')]).toEqual([
          wrong,
          [`params.${name}`],
        ])
  })

  const allWithParams = [...platformEntryList, ...Object.entries(contract.console)]
    .map(([name, { path }]): [string, string] => [name, path])
    .filter(([, path]) => path.includes(':'))

  test.each(allWithParams)('%s has no path for an id that leads to another one', (_, path) => {
    const names = getPathParamNames(path)
    const good = Object.fromEntries(names.map((name) => [name, SAMPLE_ID]))
    expect(new URL(fillPath(path, good), 'http://127.0.0.1').pathname).toBe(path.replace(/:\w+/g, SAMPLE_ID))
    for (const name of names)
      for (const value of ['..', '.', ''])
        expect(() => fillPath(path, { ...good, [name]: value })).toThrow(`${name} must not be empty, . or ..`)
  })

  test('whatever passes as a plain id is one segment of the path and stays it', () => {
    const pieces = fc.stringMatching(/^[A-Za-z0-9_.%/\\-]{1,12}$/)
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string()), (value) => {
        fc.pre(PathSegmentId.safeParse(value).success)
        const path = fillPath('/a/:task_id/stop', { task_id: value })
        expect(new URL(path, 'http://127.0.0.1').pathname).toBe(`/a/${value}/stop`)
      }),
    )
  })
})

describe('lists', () => {
  const lists = platformEntryList.filter(([, entry]) => entry.query && 'limit' in (entry.query as z.ZodObject).shape)

  test.each(lists)('%s: limit is 1 to 100, 20 if not given', (_, entry) => {
    const query = makeSamples(entry).query as object
    for (const limit of [0, 101, 1.5, 'many', '1e3'])
      expect([limit, findRefusedFields(entry.query, { ...query, limit }, 'query')]).toEqual([limit, ['query.limit']])
    for (const limit of [1, 100, '1', '100'])
      expect(entry.query?.parse({ ...query, limit })).toMatchObject({ limit: Number(limit) })
    expect(entry.query?.parse(query)).toMatchObject({ limit: 20 })
  })

  test('page begins at 1, and is 1 if not given', () => {
    const { query } = contract.documents.list
    expect(query.parse({})).toEqual({ page: 1, limit: 20 })
    expect(findRefusedFields(query, { page: 0 }, 'query')).toEqual(['query.page'])
  })
})

test('an entry that says little is strict and safe', () => {
  const entry = endpoint({ method: 'GET', path: '/x/:one/:two_id', key: 'app', permission: 'read', reply: z.unknown() })
  expect(entry).toMatchObject({ optional: false, tags: [], invalidates: [], query: undefined, body: undefined })
  expect(entry.params.safeParse({ one: SAMPLE_ID, two_id: SAMPLE_ID }).success).toBe(true)
  expect(findRefusedFields(entry.params, { one: SAMPLE_ID, two_id: 'x' }, 'params')).toEqual(['params.two_id'])
  expect(entry.resources({}, { params: {}, query: undefined, body: undefined })).toEqual([])
})
