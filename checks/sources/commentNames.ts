import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT_FOLDER } from '../runCommand.ts'
import { type SourceFile, TEST_FILE, toPlace } from './sourceFiles.ts'

/** Names of other systems that comments may quote. */
const FOREIGN_NAMES = new Set(['EX_CONFIG', '_xHHHH_', 'useBlocker'])
const PRODUCTION = /^(src|server|cli|platform)\//
/** A name of code: two words in one, as `toRun`, `RunList` and `MAX_ROWS`; single words may be values or English. */
const CODE_NAME = /[a-z][A-Z]|^[A-Z][A-Z0-9]*_[A-Z]/
const WORDS = /[A-Za-z_$][\w$]*/g

/**
 * Backticked names in comments of production files that nothing in the project has, and decisions that do not exist, as
 * `file:line: reason`.
 * @param others words that are known in addition to those of the sources
 */
export function findDeadCommentNames(
  sources: readonly SourceFile[],
  others: Iterable<string> = listOtherWords(),
): string[] {
  const known = new Set([...FOREIGN_NAMES, ...others, ...sources.flatMap((file) => readCode(file).match(WORDS) ?? [])])
  return sources
    .filter(({ path }) => PRODUCTION.test(path) && !TEST_FILE.test(path))
    .flatMap((file) =>
      file.comments.flatMap((comment) =>
        listQuotedNames(comment.value)
          .filter((name) => !known.has(name))
          .map((name) => `${toPlace(file, comment)}: the comment names ${name}, which does not exist`),
      ),
    )
}

/** `decision 023` counts as the name `023`, the beginning of its file. */
const listQuotedNames = (text: string): string[] => [
  ...[...text.matchAll(/`#?([\w$.#]+)(?:\(\))?`/g)]
    .flatMap(([, quoted = '']) => quoted.split(/[.#]/))
    .filter((name) => CODE_NAME.test(name)),
  ...[...text.matchAll(/\bdecision (\d{3})\b/g)].map(([, number = '']) => number),
]

function readCode({ text, comments }: SourceFile): string {
  let code = ''
  let from = 0
  for (const { start, end } of comments) {
    code += text.slice(from, start)
    from = end
  }
  return code + text.slice(from)
}

/** Words of style sheets, SQL and settings, and of the names of all files. */
function listOtherWords(): string[] {
  const read = (path: string) => readFileSync(join(ROOT_FOLDER, path), 'utf8')
  const texts = globSync(['{src,server,public}/**/*.{css,sql}', '*.{json,html}'], { cwd: ROOT_FOLDER }).map(read)
  const paths = globSync('{src,server,cli,e2e,checks,bench,docs}/**/*', { cwd: ROOT_FOLDER })
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT_FOLDER }).map((path) =>
    path.replace(/^.*\/(\d{3})-.*$/, '$1'),
  )
  return [...[...texts, ...paths].flatMap((text) => text.match(WORDS) ?? []), ...decisions]
}
