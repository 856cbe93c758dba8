import { expect, test } from 'vitest'
import { makeDuplicateFinder } from './tableDuplicates.ts'

const finder = (existing: [string, string][] = []) => ({
  find: makeDuplicateFinder({ keyField: 'question', valueField: 'answer', existing }),
})
const row = (question: string, answer: string) => ({ question, answer })

test('a row that repeats the question of an earlier row names it, and says whether the answer is the same', () => {
  const rows = finder()
  expect(rows.find(1, row('How do I pair the remote?', 'Hold it for five seconds.'))).toBeNull()
  expect(rows.find(2, row('Where is the serial number?', 'Below.'))).toBeNull()
  expect(rows.find(3, row('How do I pair the remote?', 'Hold it for five seconds.'))).toMatchObject({
    of: 1,
    isSame: true,
  })
  expect(rows.find(4, row('How do I pair the remote?', 'Ask support.'))).toMatchObject({ of: 1, isSame: false })
})

test('a question that an annotation has already is a duplicate of none of the rows', () => {
  const rows = finder([['How do I pair the remote?', 'Hold it for five seconds.']])
  expect(rows.find(1, row('How do I pair the remote?', 'Hold it for 5 seconds.'))).toEqual({
    row: 1,
    of: null,
    isSame: false,
    key: 'How do I pair the remote?',
  })
})

test('width, case and spaces make no other question; numbers and words do', () => {
  const rows = finder([
    ['如何退货？', '联系客服。'],
    ['Reset sensor 5', 'Hold key 45.'],
  ])
  expect(rows.find(1, row(' 如何退货? ', '联系客服。'))).toMatchObject({ of: null, isSame: true })
  expect(rows.find(2, row('reset  sensor ５', 'Hold key 45.'))).toMatchObject({ of: null, isSame: true })
  expect(rows.find(3, row('Reset sensor 7', 'Hold key 45.'))).toBeNull()
})
