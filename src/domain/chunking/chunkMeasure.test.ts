import { expect, test } from 'vitest'
import { countCharacters, getChunkMeasure } from './chunkMeasure.ts'
import { splitIntoChunks } from './splitText.ts'

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

test('no chunk has more characters than max_tokens where characters are measured', () => {
  const text = 'The lamp hums. 中文字符 and more words follow here. '.repeat(60)
  const chunks = [...splitIntoChunks(text, { separator: null, max_tokens: 500, chunk_overlap: 50 }, countCharacters)]
  expect(chunks.length).toBeGreaterThan(5)
  for (const { start, end, tokens } of chunks) {
    expect(tokens).toBe(countCharacters(text.slice(start, end)))
    expect(tokens).toBeLessThanOrEqual(500)
  }
})
