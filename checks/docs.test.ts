import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT_FOLDER } from './runCommand.ts'

const listFiles = (folder: string): string[] =>
  readdirSync(join(ROOT_FOLDER, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))

const documentPaths = ['README.md', ...listFiles('docs').filter((path) => path.endsWith('.md'))]
const testNames = new Set(['src', 'server', 'cli', 'e2e', 'checks'].flatMap(listFiles).map((path) => basename(path)))
const findAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

describe.each(documentPaths)('%s', (documentPath) => {
  const text = readFileSync(join(ROOT_FOLDER, documentPath), 'utf8')

  it('names only files and folders that exist', () => {
    const paths = findAll(text, /`((?:src|server|cli|e2e|checks|bench)\/[^`\s]+)`/g)
    expect(paths.filter((path) => !existsSync(join(ROOT_FOLDER, path)))).toEqual([])
    const names = findAll(text, /`([\w.-]+\.(?:test|spec)\.tsx?)`/g)
    expect(names.filter((name) => !testNames.has(name))).toEqual([])
  })

  it('links only to files that exist', () => {
    const targets = findAll(text, /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g).filter((target) => !/^[a-z]+:/.test(target))
    const missing = targets.filter((target) => !existsSync(join(ROOT_FOLDER, dirname(documentPath), target)))
    expect(missing).toEqual([])
  })
})
