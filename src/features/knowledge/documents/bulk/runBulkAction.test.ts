import { expect, test } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { type BulkAction, type BulkResult, runBulkAction } from './runBulkAction.ts'

const newDocuments = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `d${index}` }))
const refused = () =>
  new ProblemError({
    kind: 'refused',
    message: 'Document is not available.',
    status: 424,
    upstream: { status: 400, body: {} },
  })

async function run(action: BulkAction, count: number, refusedIds: readonly string[] = [], stopAfter = Infinity) {
  const sent: string[][] = []
  const results: BulkResult[] = []
  const stop = new AbortController()
  const send = (ids: string[]) => {
    sent.push(ids)
    if (sent.length >= stopAfter) stop.abort()
    return ids.some((id) => refusedIds.includes(id)) ? Promise.reject(refused()) : Promise.resolve()
  }
  await runBulkAction(
    action,
    newDocuments(count),
    { setStatus: (_action, ids) => send(ids), remove: (id) => send([id]), readAgain: (id) => send([id]) },
    stop.signal,
    (some) => results.push(...some),
  )
  const failed = results.filter(({ problem }) => problem !== null).map(({ document }) => document.id)
  return { sent, results, failed }
}

test('a status takes few requests, and each document has a result', async () => {
  const { sent, results, failed } = await run('disable', 120)
  expect(sent.map((ids) => ids.length)).toEqual([50, 50, 20])
  expect(new Set(results.map(({ document }) => document.id)).size).toBe(120)
  expect(failed).toEqual([])
})

test('a document that is refused does not keep the others of its request back', async () => {
  const { sent, results, failed } = await run('archive', 3, ['d1'])
  expect(sent).toEqual([['d0', 'd1', 'd2'], ['d0'], ['d1'], ['d2']])
  expect(results).toHaveLength(3)
  expect(failed).toEqual(['d1'])
})

test.each(['delete', 'read_again'] as const)(
  '%s is sent one by one, and a refusal is said of its document',
  async (action) => {
    const { sent, failed } = await run(action, 4, ['d2'])
    expect(sent).toEqual([['d0'], ['d1'], ['d2'], ['d3']])
    expect(failed).toEqual(['d2'])
  },
)

test('after a stop nothing more is sent, and what was not begun has no result', async () => {
  const { sent, results } = await run('delete', 10, [], 3)
  expect(sent.length).toBeLessThanOrEqual(4)
  expect(results).toHaveLength(sent.length)
})
