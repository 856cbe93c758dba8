import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChunkVersion, summarizeTextChange, toChunkChanges } from './chunkVersions.ts'

test('a change is told in the words that became others', () => {
  expect(
    summarizeTextChange('The gap stays. Above 0.4 mm it glows.', 'The gap stays. Above 0.35 mm it glows.'),
  ).toEqual({
    before: 'The gap stays. Above ',
    removed: '0.4',
    added: '0.35',
    behind: ' mm it glows.',
  })
  expect(summarizeTextChange('不要锉削灯座。', '不要打磨灯座。')).toMatchObject({ removed: '锉削', added: '打磨' })
  expect(summarizeTextChange('One.', 'One. Two.')).toMatchObject({ removed: '', added: ' Two.' })
  expect(summarizeTextChange('x'.repeat(900), 'y'.repeat(900)).removed.length).toBeLessThan(200)
})

test('what was removed and added, with what stands around it, is in both texts', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '灯', '😀', '.'), maxLength: 60 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const change = summarizeTextChange(before, after)
      expect(before).toContain(change.removed)
      expect(after).toContain(`${change.before.replace(/^…/, '')}${change.added}${change.behind.replace(/…$/, '')}`)
      expect(change.added.isWellFormed()).toBe(true)
    }),
  )
})

test('a version that was found as this console had saved it stands there once', () => {
  const version = (id: string, minute: number, content: string, isSavedHere: boolean): ChunkVersion => ({
    id,
    content,
    answer: null,
    at: new Date(minute * 60_000).toISOString(),
    person: null,
    note: null,
    isSavedHere,
  })
  const changes = toChunkChanges([
    version('second save', 4, 'three', true),
    version('first save', 2, 'two', true),
    version('found again', 3, 'two', false),
    version('found first', 1, 'one', false),
  ])
  expect(changes.map(({ id, previous }) => [id, previous?.id ?? null])).toEqual([
    ['second save', 'first save'],
    ['first save', 'found first'],
    ['found first', null],
  ])
})
