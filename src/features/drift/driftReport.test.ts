import { expect, test } from 'vitest'
import { toJsonReport, toMarkdownReport } from './driftReport.ts'

const origin = {
  title: 'Contract drift',
  workspace: 'Lyon\npilot',
  base_url: 'https://platform.example/v1',
  createdAt: '2026-11-21T10:00:00.000Z',
}

test('a report is a table with the samples below, whatever the platform put into them', () => {
  const text = toMarkdownReport(origin, [
    {
      cells: [
        ['What', 'data[].shelf'],
        ['Sample', '{"a":"```"}'],
      ],
      sample: { a: '```' },
    },
    {
      cells: [
        ['What', 'a | b `c`'],
        ['Sample', ''],
      ],
      sample: null,
    },
  ])
  expect(text.split('\n')).toEqual([
    '# Contract drift: Lyon pilot',
    '',
    'https://platform.example/v1, 2026-11-21T10:00:00.000Z',
    '',
    '| What | Sample |',
    '| --- | --- |',
    '| `data[].shelf` | ```` {"a":"```"} ```` |',
    '| `` a \\| b `c` `` |  |',
    '',
    '`data[].shelf`',
    '',
    '````json',
    '{',
    '  "a": "```"',
    '}',
    '````',
    '',
  ])
})

test('the same as JSON is the rows as they are', () => {
  const row = {
    operation: 'documents.list',
    kind: 'field' as const,
    event: null,
    path: 'total',
    value: null,
    since: null,
  }
  expect(JSON.parse(toJsonReport(origin, [row]))).toEqual({
    workspace: 'Lyon\npilot',
    base_url: 'https://platform.example/v1',
    at: '2026-11-21T10:00:00.000Z',
    rows: [row],
  })
})
