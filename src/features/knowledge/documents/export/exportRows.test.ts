import fc from 'fast-check'
import { parse } from 'papaparse'
import { expect, test } from 'vitest'
import { parseCsvCell } from '#domain/csv.ts'
import { toExportHeader, type ExportRow, formatExportRow } from './exportRows.ts'

const row: ExportRow = {
  kind: 'segment',
  document_id: 'd',
  document_name: 'Lamp',
  id: 's',
  position: 1,
  content: 'text',
  answer: null,
  keywords: ['a', 'b'],
  word_count: 1,
  tokens: null,
  hit_count: 0,
  status: 'completed',
  enabled: true,
  created_at: null,
  error: null,
  segment_id: null,
  record: { id: 's', unknown: [1] },
}

const cells = (text: string): Record<string, string>[] =>
  parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data

test('no cell of a CSV begins as a formula, and every other text comes back as it was', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', ' =', '\n@'), fc.string()).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, text, (content, document_name) => {
      const [back] = cells(toExportHeader('csv') + formatExportRow('csv', { ...row, content, document_name }))
      for (const [is, was] of [
        [back?.['content'], content],
        [back?.['document_name'], document_name],
      ] as const) {
        expect(is).not.toMatch(/^[=+\-@\t\r]/)
        expect(parseCsvCell(is ?? '')).toBe(was)
      }
    }),
  )
})

test('a line of JSONL is the whole row, with what this console does not know', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (content) => {
      const written = formatExportRow('jsonl', { ...row, content })
      expect(written.slice(0, -1)).not.toContain('\n')
      expect(JSON.parse(written)).toEqual({ ...row, content })
    }),
  )
})

test('no text of a chunk leaves its fence in Markdown, and no name becomes markup', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', '\n', 'a', '# b', '````')), (parts) => {
      const content = parts.join('')
      const written = formatExportRow('md', { ...row, content })
      const fence = /^(`{3,})text$/m.exec(written)?.[1] ?? ''
      expect(content.includes(fence)).toBe(false)
      expect(written).toContain(`${fence}text\n${content}\n${fence}\n`)
    }),
  )
  expect(formatExportRow('md', { ...row, kind: 'document', document_name: 'a\n<b>*' })).toContain('# a \\<b\\>\\*\n')
})
