import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT_FOLDER } from './runCommand.ts'

/** Requirements of OWASP ASVS 5.0.0 by section: which of its numbers are of level 1, and which of level 2. */
const SECTIONS: Record<string, [level1: number[], level2: number[]]> = {
  '1.1': [[], [1, 2]],
  '1.2': [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9],
  ],
  '1.3': [
    [1, 2],
    [3, 4, 5, 6, 7, 8, 9, 10, 11],
  ],
  '1.4': [[], [1, 2, 3]],
  '1.5': [[1], [2]],
  '2.1': [[1], [2, 3]],
  '2.2': [[1, 2], [3]],
  '2.3': [[1], [2, 3, 4]],
  '2.4': [[], [1]],
  '3.2': [[1, 2], []],
  '3.3': [[1], [2, 3, 4]],
  '3.4': [
    [1, 2],
    [3, 4, 5, 6],
  ],
  '3.5': [
    [1, 2, 3],
    [4, 5],
  ],
  '3.7': [[], [1, 2]],
  '4.1': [[1], [2, 3]],
  '4.2': [[], [1]],
  '4.3': [[], [1, 2]],
  '4.4': [[1], [2, 3, 4]],
  '5.1': [[], [1]],
  '5.2': [[1, 2], [3]],
  '5.3': [[1, 2], []],
  '5.4': [[], [1, 2, 3]],
  '6.1': [[1], [2, 3]],
  '6.2': [
    [1, 2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12],
  ],
  '6.3': [
    [1, 2],
    [3, 4],
  ],
  '6.4': [
    [1, 2],
    [3, 4],
  ],
  '6.5': [[], [1, 2, 3, 4, 5]],
  '6.6': [[], [1, 2, 3]],
  '6.8': [[], [1, 2, 3, 4]],
  '7.1': [[], [1, 2, 3]],
  '7.2': [[1, 2, 3, 4], []],
  '7.3': [[], [1, 2]],
  '7.4': [
    [1, 2],
    [3, 4, 5],
  ],
  '7.5': [[], [1, 2]],
  '7.6': [[], [1, 2]],
  '8.1': [[1], [2]],
  '8.2': [[1, 2], [3]],
  '8.3': [[1], []],
  '8.4': [[], [1]],
  '9.1': [[1, 2, 3], []],
  '9.2': [[1], [2, 3, 4]],
  '10.1': [[], [1, 2]],
  '10.2': [[], [1, 2]],
  '10.3': [[], [1, 2, 3, 4]],
  '10.4': [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10, 11],
  ],
  '10.5': [[], [1, 2, 3, 4, 5]],
  '10.6': [[], [1, 2]],
  '10.7': [[], [1, 2, 3]],
  '11.1': [[], [1, 2]],
  '11.2': [[], [1, 2, 3]],
  '11.3': [[1, 2], [3]],
  '11.4': [[1], [2, 3, 4]],
  '11.5': [[], [1]],
  '11.6': [[], [1]],
  '12.1': [[1], [2, 3]],
  '12.2': [[1, 2], []],
  '12.3': [[], [1, 2, 3, 4]],
  '13.1': [[], [1]],
  '13.2': [[], [1, 2, 3, 4, 5]],
  '13.3': [[], [1, 2]],
  '13.4': [[1], [2, 3, 4, 5]],
  '14.1': [[], [1, 2]],
  '14.2': [[1], [2, 3, 4]],
  '14.3': [[1], [2, 3]],
  '15.1': [[1], [2, 3]],
  '15.2': [[1], [2, 3]],
  '15.3': [[1], [2, 3, 4, 5, 6, 7]],
  '16.1': [[], [1]],
  '16.2': [[], [1, 2, 3, 4, 5]],
  '16.3': [[], [1, 2, 3, 4]],
  '16.4': [[], [1, 2, 3]],
  '16.5': [[], [1, 2, 3]],
  '17.1': [[], [1]],
  '17.2': [[], [1, 2, 3, 4]],
  '17.3': [[], [1, 2]],
}
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
    const expected = Object.entries(SECTIONS).flatMap(([section, levels]) =>
      (levels[level - 1] ?? []).map((number) => `${section}.${number}`),
    )
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
