import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExportColumns, flattenOutputs, OVERFLOW_COLUMN } from './exportColumns.ts'

it('opens objects to their leaves and leaves lists whole', () => {
  const flat = flattenOutputs({ outputs: { a: { b: 1, c: null }, list: [{ d: 2 }], empty: {} }, answer: 'text' })
  expect([...flat]).toEqual([
    ['outputs.a.b', 1],
    ['outputs.a.c', null],
    ['outputs.list', '[{"d":2}]'],
    ['outputs.empty', '{}'],
    ['answer', 'text'],
  ])
})

it('gives each row a cell for each head, whatever the rows hold, and loses none of their leaves', () => {
  const row = fc.record({
    inputs: fc.dictionary(fc.string(), fc.jsonValue()),
    beside: fc.dictionary(fc.string(), fc.string()),
    outputs: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const columns = new ExportColumns()
      for (const one of rows) columns.add(one)
      for (const one of rows) {
        const cells = columns.toCells(one)
        expect(cells).toHaveLength(columns.headers.length)
        for (const [name, value] of flattenOutputs(one.outputs))
          expect(cells[columns.headers.lastIndexOf(name)]).toBe(value)
      }
    }),
  )
})

it('has no more columns than a spreadsheet may show; the rest stands together', () => {
  const columns = new ExportColumns()
  const outputs = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`o${index}`, index]))
  columns.add({ inputs: {}, beside: {}, outputs })
  expect(columns.headers).toHaveLength(501)
  expect(columns.headers.at(-1)).toBe(OVERFLOW_COLUMN)
  expect(JSON.parse(String(columns.toCells({ inputs: {}, beside: {}, outputs }).at(-1)))).toMatchObject({ o699: 699 })
})
