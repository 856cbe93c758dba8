import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT_FOLDER } from '../runCommand.ts'
import { SLOWEST_SPECS, SLOWEST_UNIT_FILES, toSlowestFirst } from '#support/slowestFirst.ts'

test('the slowest files begin first, and the others keep their order', () => {
  const files = ['a', 'b', 'c', 'd'].map((path) => ({ path }))
  const sorted = toSlowestFirst(files, ['d', 'gone', 'b'], ({ path }) => path)
  expect(sorted.map(({ path }) => path)).toEqual(['d', 'b', 'a', 'c'])
})

test('each file of the lists is there', () => {
  const paths = [...SLOWEST_UNIT_FILES, ...SLOWEST_SPECS.map((path) => `e2e/specs/${path}`)]
  expect(paths.filter((path) => !existsSync(join(ROOT_FOLDER, path)))).toEqual([])
})
