import { expect, test } from 'vitest'
import { makeRun } from '../../../client/runRow.testing.ts'
import { toBranchedTurns } from './transcript/transcriptTurns.ts'
import { toShownLabel } from './useChatPlayground.ts'

const makeRow = (run_id: string, query: string, parent: string | null = null) => ({
  run_id,
  run: makeRun({ id: run_id, parent, request: { query } }),
  parent,
})
const [edited] = toBranchedTurns([makeRow('a', 'Which lamps?'), makeRow('b', 'Which lamps and seats?', 'a')])
const route = { branches: [] as string[], run: null as string | null }

test('a conversation that is named by its first question follows the version that is shown', () => {
  expect(toShownLabel('Which lamps?', edited, route)).toBe('Which lamps and seats?')
  expect(toShownLabel('Which lamps?', edited, { ...route, branches: ['a'] })).toBe('Which lamps?')
  expect(toShownLabel('Which lamps?', edited, { ...route, run: 'a' })).toBe('Which lamps?')
})

test('a name that was given, one without versions, and none at all stay', () => {
  const [single] = toBranchedTurns([makeRow('a', 'Which lamps?')])
  expect(toShownLabel('Of lamps', edited, route)).toBe('Of lamps')
  expect(toShownLabel('Which lamps?', single, route)).toBe('Which lamps?')
  expect(toShownLabel('Which lamps?', undefined, route)).toBe('Which lamps?')
  expect(toShownLabel(null, edited, route)).toBeNull()
})
