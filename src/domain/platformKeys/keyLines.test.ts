import { expect, test } from 'vitest'
import { parseKeyLines } from './keyLines.ts'

test('reads a pasted env file: names become labels, other settings are ignored and named', () => {
  const text = [
    '# keys of the test platform',
    'BASE=http://127.0.0.1:5001/v1',
    'CHAT_KEY=app-abcdefghijkl',
    'export DATASET_KEY="dataset-mnopqrstuv"  # the knowledge base',
    "FLOW_KEY = 'app-flowflowflow'",
    'ADMIN_PASSWORD=correct-horse-battery',
    'PORT=5001',
    'OWNER=owner@example.com',
    'EMPTY=',
    'AGAIN=app-abcdefghijkl',
    '',
    'app-without-a-name',
  ].join('\r\n')
  expect(parseKeyLines(text)).toEqual({
    keys: [
      { secret: 'app-abcdefghijkl', label: 'CHAT_KEY' },
      { secret: 'dataset-mnopqrstuv', label: 'DATASET_KEY' },
      { secret: 'app-flowflowflow', label: 'FLOW_KEY' },
      { secret: 'app-without-a-name', label: null },
    ],
    ignored: [
      { line: 2, name: 'BASE', reason: 'url' },
      { line: 6, name: 'ADMIN_PASSWORD', reason: 'not_a_key' },
      { line: 7, name: 'PORT', reason: 'not_a_key' },
      { line: 8, name: 'OWNER', reason: 'not_a_key' },
      { line: 9, name: 'EMPTY', reason: 'empty' },
      { line: 10, name: 'AGAIN', reason: 'repeated' },
    ],
    base_url: 'http://127.0.0.1:5001/v1',
  })
})

test('a key alone is taken as it is, with the padding of base64 and with blanks that the server refuses by name', () => {
  expect(parseKeyLines('c2VjcmV0a2V5==\n  two words  \n').keys).toEqual([
    { secret: 'c2VjcmV0a2V5==', label: null },
    { secret: 'two words', label: null },
  ])
  expect(parseKeyLines('http://127.0.0.1:5001/v1').ignored).toEqual([{ line: 1, name: null, reason: 'url' }])
})
