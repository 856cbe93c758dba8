import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closeCutJson, isCutEvent } from './cutEvent.ts'
import { parseBlockEvent } from './sseBlock.ts'

const LONG = 'word \\ " \n 校 😀 '.repeat(40)
const leaf = fc.oneof(fc.string(), fc.constant(LONG), fc.integer(), fc.boolean(), fc.constant(null))
const { event } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
  event: fc.dictionary(fc.string(), tie('value'), { minKeys: 1 }),
}))

test('JSON that is cut anywhere has the values before the cut, none of them changed but a long text', () => {
  fc.assert(
    fc.property(event, fc.boolean(), fc.nat(), (value, isPretty, at) => {
      const json = JSON.stringify(value, null, isPretty ? 1 : 0)
      const closed: unknown = JSON.parse(closeCutJson(json.slice(0, 1 + (at % json.length))))
      expect(isBeginning(closed, JSON.parse(json))).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string' && typeof whole === 'string')
    return part === whole || (part.length >= 200 && whole.isWellFormed() && whole.startsWith(part.toWellFormed().replace(/\uFFFD$/, ''))) // prettier-ignore
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) return part === whole
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isBeginning(value, (whole as Record<string, unknown>)[name]),
  )
}

test.each([
  ['{"event":"message","answer":"' + LONG.replaceAll(/["\\\n]/g, ''), { event: 'message', answer: LONG.replaceAll(/["\\\n]/g, '') }],
  ['{"event":"message","task_id":"3f9a', { event: 'message' }],
  ['{"event":"node_finished","data":{"id":"n","status":"succ', { event: 'node_finished', data: { id: 'n' } }],
  ['{"data":{"outputs":[1,{"a":tru', { data: { outputs: [1, {}] } }],
  ['{"total":12', {}],
  ['['.repeat(100_000), {}],
  ['plain words', {}],
  ['', {}],
])('%.60s is read as %j', (data, expected) => {
  const read = parseBlockEvent(`event: x\ndata: ${data}\n: first 1 of 2 bytes stored`)
  expect([read, isCutEvent(read)]).toEqual([expected, true])
}) // prettier-ignore

test('a comment of the platform in other words is no mark', () => {
  expect(isCutEvent(parseBlockEvent('data: {"event":"x"}\n: first of 2 bytes'))).toBe(false)
})
