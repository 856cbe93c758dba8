import { expect, test } from 'vitest'
import { collectOutputFiles } from './OutputFiles.tsx'

const file = { url: 'https://files.example/a.pdf?sign=1', filename: 'a.pdf', mime_type: 'application/pdf' }

test('files are found wherever they stand in the outputs, each once', () => {
  expect(
    collectOutputFiles({ report: file, all: [[file], { image: { remote_url: 'https://b.example', type: 'image' } }] }, [
      file,
    ]),
  ).toEqual([
    { id: null, type: null, belongs_to: null, url: file.url, filename: 'a.pdf', mime_type: 'application/pdf' },
    { id: null, type: 'image', belongs_to: null, url: 'https://b.example' },
  ])
})

test('what has an address alone is no file', () => {
  expect(collectOutputFiles({ source: { url: 'https://c.example', title: 'C' } }, null, 'text')).toEqual([])
})
