import { expect, test } from 'vitest'
import { examine, type SourceText } from './structure.ts'

const source = (text: string, path = 'server/ledger/calls.ts'): SourceText => ({ path, text })

test('a retired word is found in any name, with the term that replaced it', () => {
  const { retired } = examine([source('export function readThings(told: string) {\n  const deedCount = 1\n}')])
  expect(retired).toEqual([
    'server/ledger/calls.ts:1 readThings: use resources',
    'server/ledger/calls.ts:1 told: use detail, reported',
    'server/ledger/calls.ts:2 deedCount: use action',
  ])
})

test('a retired word is found in the name of a file, and is none inside another word', () => {
  const { retired } = examine([source('const something = 1', 'server/ledger/things.ts')])
  expect(retired).toEqual(["server/ledger/things.ts: the file's name has things: use resources"])
})

test('an exported name has one meaning within a part of the project', () => {
  const sources = [
    source('export type Page = 1', 'src/a.ts'),
    source('export const Page = 2', 'src/b.ts'),
    source('export class Page {}', 'server/a.ts'),
    source('export interface Props {}', 'src/c.ts'),
    source('export interface Props {}', 'src/d.ts'),
  ]
  expect(examine(sources).ambiguous).toEqual(['Page: src/a.ts, src/b.ts'])
})

test('a number has a name with more than one word', () => {
  const text = 'const POLL = 5 * 60_000\nexport const POLL_INTERVAL_MS = 500\nconst NAME = "text"'
  expect(examine([source(text)]).unnamedNumbers).toEqual(['server/ledger/calls.ts:1 POLL'])
})

test('functions and folders have a size', () => {
  const long = `function run() {\n${'  step()\n'.repeat(120)}}`
  expect(examine([source(long)]).longFunctions).toEqual(['server/ledger/calls.ts:1 122 lines'])
  const files = (count: number) => Array.from({ length: count }, (_, index) => source('', `src/feature/${index}.ts`))
  expect(examine([...files(25), source('', 'src/feature/a.test.ts')]).largeFolders).toEqual([])
  expect(examine(files(26)).largeFolders).toEqual(['src/feature: 26 files'])
})
