import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareJson, type JsonChange, formatJsonPath } from './compareJson.ts'

test('what was added, removed and changed is told with its path', () => {
  expect(compareJson({ a: 1, b: [1, 2], c: { d: null } }, { a: 2, b: [1], c: { d: null, e: 'x' } })).toEqual([
    { kind: 'changed', path: ['a'], before: 1, after: 2 },
    { kind: 'removed', path: ['b', 1], before: 2 },
    { kind: 'added', path: ['c', 'e'], after: 'x' },
  ])
  expect(compareJson([], {})).toEqual([{ kind: 'changed', path: [], before: [], after: {} }])
  expect(compareJson({ a: null }, {})).toEqual([{ kind: 'removed', path: ['a'], before: null }])
})

test('a path is read as it would be written', () => {
  expect([[], ['a', 0, 'b c'], ['图', 'x-y'], [3]].map(formatJsonPath)).toEqual(['$', 'a[0]["b c"]', '图.x-y', '[3]'])
})

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Makes the second value out of the first one by the differences alone. */
function apply(before: unknown, changes: readonly JsonChange[]): unknown {
  const root = { value: copy(before) }
  // From the last to the first, so that no place of a list moves before it is reached.
  for (const change of changes.toReversed().filter(({ kind }) => kind !== 'added')) setAt(root, change)
  for (const change of changes.filter(({ kind }) => kind === 'added')) setAt(root, change)
  return root.value
}

function setAt(root: { value: unknown }, change: JsonChange): void {
  const path = ['value', ...change.path]
  const last = path.pop() ?? 'value'
  const holder = path.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], root)
  if (change.kind !== 'removed')
    Object.defineProperty(holder, last, {
      value: copy(change.after),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete (holder as Record<string, unknown>)[last]
}

test('the differences make the one value out of the other, and equal values have none', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, two) => {
      const [before, after] = [copy(one), copy(two)]
      expect(apply(before, compareJson(before, after))).toEqual(after)
      expect(compareJson(before, copy(before))).toEqual([])
    }),
  )
})
