import { expect, test } from 'vitest'
import { toMarkdownReport } from './CopyReport.tsx'

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
