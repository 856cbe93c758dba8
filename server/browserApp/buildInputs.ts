import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the build of the browser app and of the command `loupe` reads. The list of installed packages in node_modules
 * says what is installed, not what should be. `vite.config.ts` fails a build that reads a file which is not named
 * here.
 */
const INPUTS = [
  'src/**/*',
  'public/**/*',
  'cli/**/*',
  'server/browserApp/*',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  '.env*',
]
const TEST_FILE = /\.(test|testing|fixture)\.tsx?$/

/** By path from the root, with `/`. */
export const isBuildInput = (path: string): boolean =>
  !TEST_FILE.test(path) && (/^(src|public|cli|server\/browserApp)\//.test(path) || INPUTS.includes(path))

export function hashBuildInputs(root: string): string {
  const paths = globSync(INPUTS, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !TEST_FILE.test(path) && statSync(join(root, path)).isFile())
    .sort()
  const hash = createHash('sha256')
  for (const path of paths) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
