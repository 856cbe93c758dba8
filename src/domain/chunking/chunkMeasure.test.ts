import { expect, test } from 'vitest'
import { countCharacters, getChunkMeasure } from './chunkMeasure.ts'

const toWorkspace = (part: object = {}) => ({
  builtin: false,
  dialect: { chosen: {}, found: {}, version: null, ...part },
})

test('released platforms measure in characters, the built-in one and the interface document in tokens', () => {
  expect(getChunkMeasure(undefined)).toBe('tokens')
  expect(getChunkMeasure({ ...toWorkspace({ version: '1.9.2' }), builtin: true })).toBe('tokens')
  expect(getChunkMeasure(toWorkspace({ version: '1.16.0-rc1' }))).toBe('characters')
  expect(getChunkMeasure(toWorkspace({ version: '0.1.0' }))).toBe('tokens')
  expect(getChunkMeasure(toWorkspace({ found: { retrieval: 'upstream' } }))).toBe('characters')
  expect(getChunkMeasure(toWorkspace({ chosen: { retrieval: 'interface' }, version: '1.9.2' }))).toBe('tokens')
})

test('characters are code points', () => {
  expect(countCharacters('')).toBe(0)
  expect(countCharacters('naïve 中文')).toBe(8)
  expect(countCharacters('a😀b')).toBe(3)
})
