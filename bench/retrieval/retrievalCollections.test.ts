import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCollections } from './retrievalCollections.ts'

const collection = {
  name: 'small',
  lang: 'zh-Hant',
  docs: [
    { id: 'a', title: 'A', text: 'first' },
    { id: 'b', title: '', text: 'second' },
  ],
  queries: [{ id: 'q', text: 'which is first?', rel: { a: 2, b: 0 }, answers: ['first'] }],
}
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-collections-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (content: unknown) => writeFileSync(join(folder, 'small.json'), JSON.stringify(content))

test('a folder of collections is read', () => {
  write(collection)
  writeFileSync(join(folder, 'README.md'), 'not a collection')
  expect(readCollections(folder)).toEqual([collection])
})

test.each([
  ['lang', { ...collection, lang: '?' }, 'small.json: lang: must be a language tag'],
  ['an unknown document', { ...collection, queries: [{ id: 'q', text: 'q', rel: { c: 1 } }] }, 'rel.c: is not in docs'],
  [
    'no relevant document',
    { ...collection, queries: [{ id: 'q', text: 'q', rel: { a: 0 } }] },
    'queries[0].rel: has no',
  ],
  [
    'a document twice',
    { ...collection, docs: [...collection.docs, collection.docs[0]] },
    'docs[2].id: a is not unique',
  ],
  ['an empty text', { ...collection, docs: [{ id: 'a', title: '', text: ' ' }] }, 'small.json: docs[0].text:'],
  ['a missing field', { ...collection, queries: undefined }, 'small.json: queries:'],
])('an invalid file is named with its field: %s', (_what, content, message) => {
  write(content)
  expect(() => readCollections(folder)).toThrow(message)
})

test('two files of one name, and a folder that is not there, are named', () => {
  write(collection)
  writeFileSync(join(folder, 'twice.json'), JSON.stringify(collection))
  expect(() => readCollections(folder)).toThrow('twice.json: name: another file has small too')
  expect(() => readCollections(join(folder, 'nowhere'))).toThrow('There is no folder of collections')
})

test('a file that is not JSON and a folder without collections are named', () => {
  expect(() => readCollections(folder)).toThrow('has no collection')
  writeFileSync(join(folder, 'broken.json'), '{')
  expect(() => readCollections(folder)).toThrow('broken.json is not JSON')
})
