import { expect, test } from 'vitest'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { refreshStalledDocuments } from './useStalledDocuments.ts'

const remembered = {
  workspace: 'w',
  dataset: 'd',
  document: 'one',
  label: 'Manual',
  state: 'waiting',
  since: '2026-11-22T07:00:00Z',
  last_seen: '2026-11-22T07:00:00Z',
}
const toListReply = (data: { id: string; indexing_status?: string }[], total = data.length) => ({
  data: documentEndpoints.list.reply.parse({ data, total, has_more: false, limit: 100, page: 1 }),
  problem: null,
})

test('what was indexed while nobody looked does not stand still', () => {
  expect(refreshStalledDocuments(remembered, toListReply([{ id: 'one', indexing_status: 'completed' }]))).toBeNull()
  expect(refreshStalledDocuments(remembered, toListReply([{ id: 'one', indexing_status: 'splitting' }]))?.state).toBe(
    'splitting',
  )
})

test('before the platform has answered nothing is said, and where it does not answer what is remembered', () => {
  expect(refreshStalledDocuments(remembered, { data: undefined, problem: null })).toBeNull()
  expect(
    refreshStalledDocuments(remembered, { data: undefined, problem: { kind: 'unreachable', message: 'Away.' } }),
  ).toBe(remembered)
  expect(refreshStalledDocuments(remembered, undefined)).toBe(remembered)
})

test('what the platform no longer has is not waited for, what is on another page may be', () => {
  expect(refreshStalledDocuments(remembered, toListReply([{ id: 'two' }]))).toBeNull()
  expect(refreshStalledDocuments(remembered, toListReply([{ id: 'two' }], 200))).toBe(remembered)
  const gone = { kind: 'refused', message: 'No.', upstream: { status: 404, body: null } } as const
  expect(refreshStalledDocuments(remembered, { data: undefined, problem: gone })).toBeNull()
})
