import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mergeRecords, readRecords, renderDocument } from '../bench/performanceReport.ts'

const document = readFileSync(new URL('../docs/performance.md', import.meta.url), 'utf8')
const source = { date: '2026-12-01', commit: 'abc1234', node: 'v24.0.0', cores: 2 }

test('docs/performance.md shows the figures of docs/performance.json', async () => {
  expect(await renderDocument(document, readRecords())).toBe(document)
})

test('a bench that ran replaces its own figures and keeps those of the others', async () => {
  const before = readRecords()
  const records = mergeRecords(before, [{ bench: 'streams', what: 'first frame', value: 4.321, unit: 'times' }], source)
  expect(records.map(({ bench }) => bench)).toEqual(before.map(({ bench }) => bench))
  expect(records.find(({ bench }) => bench === 'streams')).toEqual({
    bench: 'streams',
    ...source,
    figures: [{ what: 'first frame', value: 4.321, unit: 'times' }],
  })
  expect(records.filter(({ bench }) => bench !== 'streams')).toEqual(before.filter(({ bench }) => bench !== 'streams'))

  const rendered = await renderDocument(document, records)
  expect(rendered).toMatch(/\| first frame +\| 4\.32 times \|/)
  expect(rendered).toContain('commit `abc1234`')
  expect(rendered.slice(0, 300)).toBe(document.slice(0, 300))
})

test('a document without the markers is refused instead of being overwritten', async () => {
  await expect(renderDocument('# Performance\n', readRecords())).rejects.toThrow('needs the markers')
})
