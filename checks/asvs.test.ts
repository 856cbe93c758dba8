import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT_FOLDER } from './runCommand.ts'

/**
 * Requirements of OWASP ASVS 5.0.0 by chapter and section: how many are of level 1, and of level 2. In each section those of level
 * 1 have the first numbers.
 */
const CHAPTERS: Record<string, Record<string, [level1: number, level2: number]>> = {
  1: { 1: [0, 2], 2: [5, 4], 3: [2, 9], 4: [0, 3], 5: [1, 1] },
  2: { 1: [1, 2], 2: [2, 1], 3: [1, 3], 4: [0, 1] },
  3: { 2: [2, 0], 3: [1, 3], 4: [2, 4], 5: [3, 2], 7: [0, 2] },
  4: { 1: [1, 2], 2: [0, 1], 3: [0, 2], 4: [1, 3] },
  5: { 1: [0, 1], 2: [2, 1], 3: [2, 0], 4: [0, 3] },
  6: { 1: [1, 2], 2: [8, 4], 3: [2, 2], 4: [2, 2], 5: [0, 5], 6: [0, 3], 8: [0, 4] },
  7: { 1: [0, 3], 2: [4, 0], 3: [0, 2], 4: [2, 3], 5: [0, 2], 6: [0, 2] },
  8: { 1: [1, 1], 2: [2, 1], 3: [1, 0], 4: [0, 1] },
  9: { 1: [3, 0], 2: [1, 3] },
  10: { 1: [0, 2], 2: [0, 2], 3: [0, 4], 4: [5, 6], 5: [0, 5], 6: [0, 2], 7: [0, 3] },
  11: { 1: [0, 2], 2: [0, 3], 3: [2, 1], 4: [1, 3], 5: [0, 1], 6: [0, 1] },
  12: { 1: [1, 2], 2: [2, 0], 3: [0, 4] },
  13: { 1: [0, 1], 2: [0, 5], 3: [0, 2], 4: [1, 4] },
  14: { 1: [0, 2], 2: [1, 3], 3: [1, 2] },
  15: { 1: [1, 2], 2: [1, 2], 3: [1, 6] },
  16: { 1: [0, 1], 2: [0, 5], 3: [0, 4], 4: [0, 3], 5: [0, 3] },
  17: { 1: [0, 1], 2: [0, 4], 3: [0, 2] },
}

const listRequirements = (level: number): string[] =>
  Object.entries(CHAPTERS).flatMap(([chapter, sections]) =>
    Object.entries(sections).flatMap(([section, [level1, level2]]) => {
      const [first, count] = level === 1 ? [1, level1] : [level1 + 1, level2]
      return Array.from({ length: count }, (_, index) => `${chapter}.${section}.${first + index}`)
    }),
  )
const MAX_CELL_CHARACTERS = 240

const securityPage = readFileSync(`${ROOT_FOLDER}/docs/security.md`, 'utf8')
const splitCells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The rows of one level: numbers, status, how and test. */
function listLevelRows(level: number) {
  const text = securityPage.split(`### Level ${level}\n`)[1]?.split(/^##+ /m)[0] ?? ''
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map(splitCells)
    .map(([requirement = '', status = '', how = '', test = '']) => ({
      ids: requirement.match(/\d+\.\d+\.\d+/g) ?? [],
      status,
      how,
      test,
    }))
}

describe.each([
  [1, 70],
  [2, 183],
])('level %i of ASVS 5.0.0 in docs/security.md', (level, total) => {
  const rows = listLevelRows(level)

  it('has each requirement once', () => {
    const expected = listRequirements(level)
    expect(expected).toHaveLength(total)
    const found = rows.flatMap(({ ids }) => ids)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  it('says of each whether it is met, how, and what shows it', () => {
    for (const { ids, status, how, test } of rows) {
      expect(['met', 'not applicable', '**not met**'], ids.join()).toContain(status)
      expect(how.length, ids.join()).toBeGreaterThan(3)
      expect(test, ids.join()).toMatch(status === 'met' ? /^`.*`$|^by reading$/ : /^/)
    }
  })

  it('counts them as the summary does', () => {
    const count = (status: string) =>
      rows.filter((row) => row.status === status).reduce((sum, { ids }) => sum + ids.length, 0)
    const summary = securityPage.split('\n').find((line) => new RegExp(`^\\| ${level} +\\| ${total} `).test(line)) ?? ''
    expect(splitCells(summary).slice(2).map(Number)).toEqual([
      count('met'),
      count('not applicable'),
      count('**not met**'),
    ])
  })
})

it('each test that docs/security.md names is there, and no cell is longer than two lines', () => {
  const named = [...securityPage.matchAll(/`((?:server|src|checks|e2e)\/[^`*]+\.(?:test|spec)\.tsx?)`/g)].map(
    ([, path]) => path,
  )
  expect(named.length).toBeGreaterThan(100)
  expect([...new Set(named)].filter((path) => !existsSync(`${ROOT_FOLDER}/${path}`))).toEqual([])
  const long = securityPage.split('\n').flatMap((line) => (line.startsWith('|') ? splitCells(line) : []))
  expect(long.filter((cell) => cell.length > MAX_CELL_CHARACTERS && !/^-+$/.test(cell))).toEqual([])
})
