import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_RUN_FILE_BYTES, parseRunFile, checkRunFileSize, toRunFile } from './runFile.ts'
import { makeRun } from '../../client/runRow.testing.ts'

type Fields = Record<string, unknown> & { frames: object[]; run: object }
const run = makeRun({ person: 'Mira', frames: 2, request: { query: 'What?', user: 'mira' }, answer: { text: 'This.' } })
const file = () =>
  toRunFile({
    run,
    path: '/chat-messages',
    frames: [
      { seq: 1, at: 12, bytes: 20, block: 'data: {"event":"message","answer":"This"}' },
      { seq: 2, at: 30, bytes: 20, block: 'data: \ufffd', raw: '/w==' },
    ],
    reply: null,
    platform: { name: 'North', base_url: 'https://p.example/v1' },
    loupe: '0.1.0',
    exported_at: '2026-11-21T10:01:00.000Z',
  })
const text = JSON.stringify(file())
const getMessage = (given: string) => parseRunFile(given).problem?.message

test('a file that was written is read as it was written, and names no key and no workspace', () => {
  expect(parseRunFile(text)).toEqual({ file: file(), problem: null })
  expect(file().run).not.toHaveProperty('key')
  expect(file().run).not.toHaveProperty('workspace')
})

test('a platform that has no web address is refused', () => {
  for (const base_url of ['-o/etc/passwd', 'file:///etc/passwd', ''])
    expect(getMessage(text.replace('https://p.example/v1', base_url))).toBeDefined()
})

test('a file that was cut anywhere is refused, and said to be cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: text.length - 1 }), (end) => {
      expect(getMessage(text.slice(0, end))).toMatch(/^The file ends in the middle, after [\d,]+ characters/)
    }),
  )
  expect(getMessage('  ')).toBe('The file is empty.')
})

const changeFrame =
  (change: object) =>
  ({ frames, ...value }: Fields) => ({ ...value, frames: [{ ...frames[0], ...change }] })

test.each<[string, (value: Fields) => unknown, RegExp]>([
  ['another format', (value) => ({ ...value, format: 'har' }), /its field format is not "loupe.run"/],
  ['a later version', (value) => ({ ...value, version: 2 }), /version 2 of the run format. This Loupe reads version 1/],
  ['a list', () => [], /contains no object/],
  ['an unknown field', (value) => ({ ...value, script: 'x' }), /file.script is not a field/],
  ['a frame without its time', changeFrame({ at: undefined }), /file.frames.0.at is required/],
  ['a hole between frames', changeFrame({ seq: 2 }), /Frame 1 is missing: in its place the file has frame 2/],
  ['bytes that are no base64', changeFrame({ raw: '<x>' }), /file.frames.0.raw/],
  [
    'an id that is a path',
    ({ run, ...value }) => ({ ...value, run: { ...run, id: '../x' } }),
    /file.run.id must be an id/,
  ],
])('%s is refused with the place', (_name, change, expected) => {
  expect(getMessage(JSON.stringify(change(JSON.parse(text) as Fields)))).toMatch(expected)
})

test('what is no JSON, nests without end or hides a prototype is refused', () => {
  expect(getMessage('<html></html>')).toBe('The file is not JSON.')
  expect(getMessage(text.replace('"format"', 'format'))).toMatch(/^The file is not JSON: character \d+ does not belong/)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(getMessage(text.replace('"reply":null', `"reply":${deep}`))).toMatch(/is nested deeper than 256 levels/)
  expect(getMessage(text.replace('{"format"', '{"__proto__":{"x":1},"format"'))).toMatch(/__proto__ is not a field/)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('any text is either read or refused with words', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (given) => {
      expect(getMessage(given)).toMatch(/^\S.*\.$/s)
    }),
  )
})

test('a file that is enormous is refused by its size', () => {
  expect(checkRunFileSize(MAX_RUN_FILE_BYTES)).toBeNull()
  expect(checkRunFileSize(5e9)?.message).toBe('The file has 5000 MB. A run file has at most 268 MB.')
})
