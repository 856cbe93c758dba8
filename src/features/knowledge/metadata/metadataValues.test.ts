import { expect, test } from 'vitest'
import { parseInput, readDocumentValues, toCommonInput, toInput, toMetadataUpdate } from './metadataValues.ts'

const ORIGIN = { id: 'f1', name: 'origin', type: 'string' }
const YEAR = { id: 'f2', name: 'year', type: 'number' }
const document = (id: string, values: object[] | null) => ({ id, doc_metadata: values })

test('own values and those of the platform are told apart; a record without any has none', () => {
  const builtIn = { id: 'built-in', name: 'uploader', type: 'string', value: 'mira' }
  expect(readDocumentValues(document('d', [{ ...ORIGIN, value: 'Fujian' }, builtIn]))).toEqual({
    own: [{ ...ORIGIN, value: 'Fujian' }],
    builtIn: [builtIn],
  })
  for (const doc_metadata of [null, undefined, [], { origin: 'Fujian' }, 'x'])
    expect(readDocumentValues({ doc_metadata })).toEqual({ own: [], builtIn: [] })
})

test('inputs of each type are read back as they were', () => {
  expect(parseInput('string', ' Fujian ')).toBe(' Fujian ')
  expect(parseInput('number', '2020.5')).toBe(2020.5)
  expect(parseInput('number', 'many')).toBeUndefined()
  expect(parseInput('time', 'tomorrow')).toBeUndefined()
  expect(parseInput('time', '31 Apr 2026, 10:00')).toBeUndefined()
  expect(parseInput('time', '2026-11-22')).toBe(parseInput('time', '22 Nov 2026, 00:00'))
  for (const type of ['string', 'number', 'time']) expect(parseInput(type, ' ')).toBeNull()
  const seconds = 1_795_361_460
  expect(toInput('time', String(seconds))).toMatch(/^2\d Nov 2026, \d\d:\d1$/)
  expect(parseInput('time', toInput('time', seconds))).toBe(seconds)
  expect(toInput('time', 'soon')).toBe('soon')
  expect(toInput('time', 1.79e15)).toBe('1790000000000000')
  expect(toInput('number', null)).toBe('')
})

test('documents that differ have no common input', () => {
  const [first, second] = [document('a', [{ ...ORIGIN, value: 'Fujian' }]), document('b', null)]
  expect(toCommonInput(ORIGIN, [first, first])).toBe('Fujian')
  expect(toCommonInput(ORIGIN, [first, second])).toBeNull()
  expect(toCommonInput(YEAR, [first, second])).toBe('')
})

test('what is not changed is sent again, what is emptied is left out', () => {
  const documents = [
    document('a', [
      { ...ORIGIN, value: 'Fujian' },
      { ...YEAR, value: 2019 },
      { id: 'gone', name: 'x', value: 1 },
    ]),
    document('b', [{ id: 'built-in', name: 'uploader', value: 'mira' }]),
  ]
  expect(toMetadataUpdate(documents, [ORIGIN, YEAR], new Map([['f2', 2020]]))).toEqual([
    {
      document_id: 'a',
      metadata_list: [
        { id: 'f1', name: 'origin', value: 'Fujian' },
        { id: 'f2', name: 'year', value: 2020 },
      ],
    },
    { document_id: 'b', metadata_list: [{ id: 'f2', name: 'year', value: 2020 }] },
  ])
  expect(toMetadataUpdate(documents.slice(0, 1), [ORIGIN, YEAR], new Map([['f1', null]]))).toEqual([
    { document_id: 'a', metadata_list: [{ id: 'f2', name: 'year', value: 2019 }] },
  ])
})
