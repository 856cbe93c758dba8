import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectOutputFiles } from './collectOutputFiles.ts'

const file = { url: 'https://files.example/a.pdf?sign=1', filename: 'a.pdf', mime_type: 'application/pdf' }

test('files are found wherever they stand in the outputs, each once', () => {
  expect(
    collectOutputFiles({ report: file, all: [[file], { image: { remote_url: 'https://b.example', type: 'image' } }] }, [
      file,
    ]),
  ).toEqual([
    { name: 'a.pdf', url: file.url, type: 'application/pdf' },
    { name: 'https://b.example', url: 'https://b.example', type: 'image' },
  ])
})

test('what has an address alone is no file', () => {
  expect(collectOutputFiles({ source: { url: 'https://c.example', title: 'C' } }, null, 'text')).toEqual([])
})

test('any value is looked through', () => {
  fc.assert(fc.property(fc.anything({ withBigInt: true }), (value) => Array.isArray(collectOutputFiles(value))))
})
