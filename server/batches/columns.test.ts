import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Columns, flatten, MORE } from './columns.ts'

it('opens objects to their leaves and leaves lists whole', () => {
  const flat = flatten({ outputs: { a: { b: 1, c: null }, list: [{ d: 2 }], empty: {} }, answer: 'text' })
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
      const columns = new Columns()
      for (const one of rows) columns.add(one)
      for (const one of rows) {
        const cells = columns.cells(one)
        expect(cells).toHaveLength(columns.heads.length)
        for (const [name, value] of flatten(one.outputs)) expect(cells[columns.heads.lastIndexOf(name)]).toBe(value)
      }
    }),
  )
})

it('has no more columns than a spreadsheet may show; the rest stands together', () => {
  const columns = new Columns()
  const outputs = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`o${index}`, index]))
  columns.add({ inputs: {}, beside: {}, outputs })
  expect(columns.heads).toHaveLength(501)
  expect(columns.heads.at(-1)).toBe(MORE)
  expect(JSON.parse(String(columns.cells({ inputs: {}, beside: {}, outputs }).at(-1)))).toMatchObject({ o699: 699 })
})
