import { expect, test } from 'vitest'
import { findDeadCommentNames } from './commentNames.ts'
import { parseSource } from './sourceFiles.ts'

const code = 'export const toRun = (maxRows: number) => maxRows'

test.each<[string, string, string[]]>([
  ['a name that exists', '/** As `toRun`, up to `maxRows`. */', []],
  ['a name that is gone', '/** As `toCall`. */', ['toCall']],
  ['a member that is gone', '// See `toRun.callOf`.', ['callOf']],
  ['a constant that is gone', '// At most `MAX_ROWS`.', ['MAX_ROWS']],
  ['a value of one word', '// The status `failed`, or `null`.', []],
  ['a decision that exists', '// Decision: decision 023.', []],
  ['a decision that is gone', '// For the reason see decision 036.', ['036']],
])('%s', (_, comment, names) => {
  const found = findDeadCommentNames([parseSource('server/runs/a.ts', `${code}\n${comment}`)], ['023'])
  expect(found).toEqual(names.map((name) => `server/runs/a.ts:2: the comment names ${name}, which does not exist`))
})

test('a comment of a test may name what is planted', () => {
  expect(findDeadCommentNames([parseSource('server/runs/a.test.ts', '// As `toCall`.')], [])).toEqual([])
})
