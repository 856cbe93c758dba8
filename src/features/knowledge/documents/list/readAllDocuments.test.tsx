import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { serveApi } from '../../../../client/consoleApi.testing.ts'
import { readAllDocuments } from './readAllDocuments.ts'

const server = serveApi()
const ids = (from: number, to: number) =>
  Array.from(
    { length: Math.max(0, to - from) },
    (_, index) => `00000000-0000-4000-8000-${String(from + index).padStart(12, '0')}`,
  )

test.each<[string, { total: number; limit?: number; page: (page: number) => string[] }, number, number]>([
  [
    'of full pages',
    { total: 250, limit: 100, page: (page) => ids(100 * (page - 1), Math.min(250, 100 * page)) },
    250,
    3,
  ],
  ['of capped pages', { total: 90, limit: 20, page: (page) => ids(20 * (page - 1), Math.min(90, 20 * page)) }, 90, 5],
  [
    'of capped pages with the asked limit',
    { total: 90, limit: 100, page: (page) => ids(20 * (page - 1), Math.min(90, 20 * page)) },
    90,
    5,
  ],
  ['without a limit', { total: 250, page: (page) => ids(100 * (page - 1), Math.min(250, 100 * page)) }, 250, 3],
  [
    'with hidden documents, and a hidden page',
    { total: 2_000, limit: 100, page: (page) => (page > 20 || page === 7 ? [] : ids(page, page + 1)) },
    19,
    24,
  ],
  [
    'that repeats its last page',
    { total: 2_000, limit: 100, page: (page) => ids(Math.min(page, 20), Math.min(page, 20) + 1) },
    20,
    24,
  ],
])('a list %s is read completely, with few requests', async (_, { total, limit, page }, found, maxRequests) => {
  let requests = 0
  server.use(
    http.get('*/documents', ({ request }) => {
      requests++
      const data = page(Number(new URL(request.url).searchParams.get('page'))).map((id) => ({ id, name: id }))
      return HttpResponse.json({ data, total, limit, has_more: data.length === limit })
    }),
  )
  const target = { keyId: 'key', dataset_id: ids(0, 1)[0] ?? '', keyword: undefined, status: undefined }
  const { documents } = await readAllDocuments(target, new AbortController().signal)
  expect(new Set(documents.map(({ id }) => id)).size).toBe(found)
  expect(requests).toBeLessThanOrEqual(maxRequests)
})
