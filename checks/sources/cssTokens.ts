import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLOR_TOKENS, STATUS_COLORS } from '../../src/app/theme/colorTokens.ts'
import { ROOT_FOLDER } from '../runCommand.ts'

/** A style sheet or a module with styles. */
export interface StyledFile {
  /** From the root of the project. */
  path: string
  text: string
}

/** Uses of CSS variables that nothing defines, as `file:line: variable`. A browser ignores them without a word. */
export function findMissingCssTokens(files: readonly StyledFile[] = readStyledFiles()): string[] {
  const known = new Set([...listThemeTokens(), ...listMantineTokens(), ...files.flatMap(listOwnTokens)])
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/var\(\s*(--[\w-]+)\s*[,)]/g)].flatMap(({ index, 1: name = '' }) =>
      known.has(name) ? [] : [`${path}:${text.slice(0, index).split('\n').length}: no style defines ${name}`],
    ),
  )
}

const readFiles = (pattern: string): StyledFile[] =>
  globSync(pattern, { cwd: ROOT_FOLDER })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT_FOLDER, path), 'utf8') }))

const readStyledFiles = (): StyledFile[] => readFiles('src/**/*.{css,ts,tsx}')

/** As `resolveCssVariables` of the theme emits them. */
const listThemeTokens = (): string[] => [
  ...Object.keys(COLOR_TOKENS).map((name) => `--${name}`),
  ...Object.keys(STATUS_COLORS).flatMap((name) => ['fg', 'bg', 'solid'].map((part) => `--${name}-${part}`)),
]

const listMantineTokens = (): string[] => readFiles('node_modules/@mantine/*/styles.css').flatMap(listOwnTokens)

/** `--name: …` of a style sheet, `'--name'` of a style in a module. */
const listOwnTokens = ({ path, text }: StyledFile): string[] =>
  [...text.matchAll(path.endsWith('.css') ? /(--[\w-]+)\s*:/g : /['"](--[\w-]+)['"]/g)].map(({ 1: name = '' }) => name)
