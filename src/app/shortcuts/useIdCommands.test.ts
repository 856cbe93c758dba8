import { expect, test } from 'vitest'
import { sortByScreen } from './useIdCommands.ts'

const guesses = ['run', 'conversation', 'adopt', 'takes'].map((id) => ({ id }))

test.each([
  ['/runs', 'run'],
  ['/ledger', 'run'],
  ['/workflows', 'run'],
  ['/chat', 'conversation'],
  ['/datasets', 'adopt'],
  ['/datasets/b0000000/documents', 'adopt'],
  ['/datasets-of-others', 'run'],
])('an unknown id that is pasted on %s is first taken for: %s', (path, first) => {
  const ids = sortByScreen(guesses, path).map(({ id }) => id)
  expect(ids[0]).toBe(first)
  expect(ids.toSorted()).toEqual(['adopt', 'conversation', 'run', 'takes'])
})
