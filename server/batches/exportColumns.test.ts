import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExportColumns, flattenOutputs, OVERFLOW_COLUMN, toUniqueColumnNames } from './exportColumns.ts'

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

it('keeps an answer that comes after the columns were read', () => {
  const columns = new ExportColumns()
  columns.add({ inputs: {}, beside: {}, outputs: {} })
  columns.addOverflowColumn()
  expect(columns.headers).toEqual([OVERFLOW_COLUMN])
  expect(columns.toCells({ inputs: {}, beside: {}, outputs: { answer: 'late' } })).toEqual(['{"answer":"late"}'])
})

it('has the columns of the file first, as they were, and names nothing twice', () => {
  const columns = new ExportColumns({
    name: 'questions.xlsx',
    rows: 1,
    columns: [
      { name: 'id', target: null },
      { name: 'City', target: { input: 'city' } },
      { name: 'n', target: { input: 'count' } },
      { name: 'question', target: { turn: 1 } },
      { name: 'answer', target: null },
    ],
  })
  const row = {
    inputs: { city: 'Rome', count: 7, tone: 'short' },
    turns: ['Where?', 'When?'],
    beside: { id: '12', n: '7.0', answer: 'expected' },
    outputs: { answer: 'given' },
  }
  columns.add(row)
  expect(toUniqueColumnNames([...columns.sourceHeaders, ...columns.headers])).toEqual([
    ...['id', 'City', 'n', 'question', 'answer'],
    ...['inputs.tone', 'turn_2', 'answer (2)'],
  ])
  expect(columns.toSourceCells(row)).toEqual(['12', 'Rome', '7.0', 'Where?', 'expected'])
  expect(columns.toCells(row)).toEqual(['short', 'When?', 'given'])
})
