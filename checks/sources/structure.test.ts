import { expect, test } from 'vitest'
import { parseSource } from './sourceFiles.ts'
import { findStructureFaults } from './structure.ts'

const source = (text: string, path = 'server/ledger/calls.ts') => parseSource(path, text)

test('a retired word is found in any name, with the term that replaced it', () => {
  const text = 'export function readThings(told: string) {\n  const deedCount = 1\n}\ntype A = (told: 1) => 1'
  const { retired } = findStructureFaults([source(text)])
  expect(retired).toEqual([
    'server/ledger/calls.ts:1 readThings: use resources',
    'server/ledger/calls.ts:1 told: use detail, reported',
    'server/ledger/calls.ts:2 deedCount: use action',
    'server/ledger/calls.ts:4 told: use detail, reported',
  ])
})

test('a retired word is found in the name of a file, and is none inside another word', () => {
  const { retired } = findStructureFaults([source('const something = 1', 'server/ledger/things.ts')])
  expect(retired).toEqual(["server/ledger/things.ts: the file's name has things: use resources"])
})

test('an exported name has one meaning within a folder of the server or of the features', () => {
  const sources = [
    source('export type Page = 1', 'src/features/runs/a.ts'),
    source('export const Page = 2', 'src/features/runs/list/b.ts'),
    source('export class Page {}', 'src/features/suites/a.ts'),
    source('export class Page {}', 'server/runs/a.ts'),
    source('const Page = 3', 'server/runs/b.ts'),
    source('export interface Props {}', 'server/runs/c.ts'),
    source('export interface Props {}', 'server/runs/d.ts'),
  ]
  expect(findStructureFaults(sources).ambiguous).toEqual(['Page: src/features/runs/a.ts, src/features/runs/list/b.ts'])
})

test('a number has a name with more than one word', () => {
  const text = 'const POLL = 5 * 60_000\nexport const POLL_INTERVAL_MS = 500\nconst NAME = "text"'
  expect(findStructureFaults([source(text)]).unnamedNumbers).toEqual(['server/ledger/calls.ts:1 POLL'])
})

test('functions and folders have a size', () => {
  const long = `function run() {\n${'  step()\n'.repeat(120)}}`
  expect(findStructureFaults([source(long)]).longFunctions).toEqual(['server/ledger/calls.ts:1 122 lines'])
  const files = (count: number) => Array.from({ length: count }, (_, index) => source('', `src/feature/${index}.ts`))
  expect(findStructureFaults([...files(25), source('', 'src/feature/a.test.ts')]).largeFolders).toEqual([])
  expect(findStructureFaults(files(26)).largeFolders).toEqual(['src/feature: 26 files'])
})
