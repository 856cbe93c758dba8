import { expect, test } from 'vitest'
import { getDriftSeverity, type StoredDrift, toDriftFacts } from './driftFacts.ts'
import { findRelease } from './releases.ts'

const row = (part: Partial<StoredDrift>): StoredDrift => ({
  id: `id of ${JSON.stringify(part)}`,
  workspace: 'w',
  operation: 'documents.list',
  kind: 'field',
  event: null,
  path: 'data[].shelf',
  value: null,
  sample: 1,
  count: 1,
  call: null,
  first_seen: '2026-11-01T00:00:00.000Z',
  last_seen: '2026-11-01T00:00:00.000Z',
  ...part,
})
const summarize = (rows: StoredDrift[]) =>
  toDriftFacts(rows).map(({ operation, path, count, places }) => [operation, path, count, places.length])

test('a new field of the usage is one fact, in whatever answer it comes', () => {
  const places = [
    { operation: 'chat.send', path: 'metadata.usage.mood' },
    { operation: 'chat.send', event: 'message_end', path: 'metadata.usage.mood' },
    { operation: 'completion.send', path: 'metadata.usage.mood' },
    { operation: 'completion.send', event: 'message_end', path: 'metadata.usage.mood' },
  ]
  const facts = toDriftFacts(
    places.map((place, at) => row({ ...place, count: 2, last_seen: `2026-11-0${at + 1}T00:00:00.000Z` })),
  )
  expect(facts).toHaveLength(1)
  expect(facts[0]).toMatchObject({
    operation: 'chat.send',
    count: 8,
    severity: 'note',
    last_seen: '2026-11-04T00:00:00.000Z',
    places: places.map((place) => ({ event: null, ...place })),
  })
})

test('facts are told apart by record, path, kind, word and workspace', () => {
  expect(
    summarize([
      row({}),
      row({ operation: 'documents.createByText', path: 'document.shelf' }),
      row({ path: 'shelf' }),
      row({ operation: 'adjacent.listDatasets' }),
      row({ kind: 'word', path: 'data[].indexing_status', value: 'dreaming' }),
      row({ kind: 'word', operation: 'documents.createByText', path: 'document.indexing_status', value: 'dreaming' }),
      row({ kind: 'word', path: 'data[].indexing_status', value: 'sleeping' }),
      row({ workspace: 'other' }),
    ]),
  ).toEqual([
    ['documents.list', 'data[].shelf', 2, 2],
    ['documents.list', 'shelf', 1, 1],
    ['adjacent.listDatasets', 'data[].shelf', 1, 1],
    ['documents.list', 'data[].indexing_status', 2, 2],
    ['documents.list', 'data[].indexing_status', 1, 1],
    ['documents.list', 'data[].shelf', 1, 1],
  ])
})

test('an event, and the form of a refusal, is one fact for all operations; a status is not', () => {
  expect(
    summarize([
      row({ operation: 'chat.send', kind: 'event', event: 'mood', path: '' }),
      row({ operation: 'workflows.run', kind: 'event', event: 'mood', path: '' }),
      row({ kind: 'error', path: 'trace', value: 'field' }),
      row({ operation: 'adjacent.info', kind: 'error', path: 'trace', value: 'field' }),
      row({ kind: 'status', path: '', value: '418' }),
      row({ operation: 'adjacent.info', kind: 'status', path: '', value: '418' }),
    ]),
  ).toEqual([
    ['chat.send', '', 2, 2],
    ['documents.list', 'trace', 2, 2],
    ['documents.list', '', 1, 1],
    ['adjacent.info', '', 1, 1],
  ])
})

test('what the contract has learned since is no drift any more', () => {
  const old: Partial<StoredDrift>[] = [
    { operation: 'chat.send', event: 'message_end', path: 'metadata.usage.time_to_first_token' },
    { operation: 'workflows.parameters', path: 'user_input_form[].text-input.type' },
    { operation: 'chat.send', event: 'message_end', path: 'files[].dify_model_identity' },
    { operation: 'chat.send', event: 'message_end', path: 'files[].reference' },
    { operation: 'adjacent.indexingStatus', path: 'data[].error_code' },
    { operation: 'adjacent.indexingStatus', path: 'data[].estimated_vector_space_mb' },
    { operation: 'adjacent.indexingStatus', path: 'data[].vector_space_limit_mb' },
    { operation: 'adjacent.runPipeline', path: 'data' },
    { operation: 'workflows.run', path: 'data.paused_nodes' },
    { operation: 'workflows.run', kind: 'event', event: 'workflow_paused', path: '' },
    { operation: 'adjacent.listMessages', kind: 'word', path: 'data[].status', value: 'paused' },
    { operation: 'adjacent.listMessages', kind: 'missing', path: 'data[].answer' },
    { kind: 'status', path: '', value: '404' },
    { kind: 'error', path: 'errors', value: 'field', sample: { name: 'No.' } },
    { kind: 'error', path: 'code', value: 'missing', sample: { errors: { name: 'No.' }, message: 'No.' } },
    { kind: 'error', path: '', value: 'text', sample: '<!doctype html><title>404 Not Found</title>' },
    { operation: 'adjacent.goneSince' },
  ]
  expect(toDriftFacts(old.map(row))).toEqual([])
  const current: Partial<StoredDrift>[] = [
    { kind: 'missing', path: 'data[].id' },
    { kind: 'type', path: 'data[].name' },
    { kind: 'status', path: '', value: '299' },
    { kind: 'error', path: 'code', value: 'missing', sample: { fault: 'No.' } },
    { kind: 'error', path: '', value: 'text', sample: '<html>Bad Gateway</html>' },
  ]
  expect(toDriftFacts(current.map(row))).toHaveLength(current.length)
})

test('only a new field is a note', () => {
  expect(getDriftSeverity({ kind: 'field', value: null })).toBe('note')
  expect(getDriftSeverity({ kind: 'error', value: 'field' })).toBe('note')
  for (const kind of ['event', 'word', 'status', 'type', 'missing', 'error'] as const)
    expect(getDriftSeverity({ kind, value: null })).toBe('notice')
})

test('a version is of the newest recorded release of its first two numbers that is not newer', () => {
  const versions = ['1.9.2', '1.16.0-rc1', '1.16', '1.16.1', '1.16.2', '1.16.10', '1.1.0', '1.160.1', '2.0.0', null]
  expect(versions.map(findRelease)).toEqual([
    '1.9',
    '1.16',
    '1.16',
    '1.16.1',
    '1.16.1',
    '1.16.1',
    null,
    null,
    null,
    null,
  ])
})
