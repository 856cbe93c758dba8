import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync, type Program, visitorKeys } from 'oxc-parser'
import { ROOT_FOLDER } from '../runCommand.ts'

/** A source file with its syntax tree (TS-ESTree). */
export interface SourceFile {
  /** From the root of the project. */
  path: string
  text: string
  program: Program
  comments: { value: string; start: number; end: number }[]
}

export type { Node }

export const TEST_FILE = /\.(test|testing|fixture|spec)\.tsx?$/

/** @throws Error if the text has a syntax error. */
export function parseSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error) throw new Error(`${path}: ${error.message}`)
  // The tree is built when it is first read.
  return Object.assign(parsed, { path, text })
}

/** The sources of the project, or of another in `root`. */
export const readSources = (root = ROOT_FOLDER): SourceFile[] =>
  globSync(['{src,server,cli,e2e,checks,bench}/**/*.{ts,tsx,js,mjs,cjs}', '*.ts'], { cwd: root })
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))

/** Calls `use` for each node, a parent before its children. */
export function walk(node: Node, use: (node: Node) => void): void {
  use(node)
  const children = node as unknown as Record<string, Node | Node[] | null | undefined>
  for (const key of visitorKeys[node.type] ?? [])
    for (const child of [children[key] ?? []].flat()) if (child) walk(child, use)
}

/** `file:line`, counted from one. */
export const toPlace = ({ path, text }: SourceFile, { start }: { start: number }): string =>
  `${path}:${text.slice(0, start).split('\n').length}`
