import { spawn } from 'node:child_process'
import { readdirSync, renameSync, rmSync, chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create } from 'tar'
import { StartupError } from '../db/startupError.ts'
import { hashBuildInputs } from './buildInputs.ts'
import { readBuildRecord, writeBuildRecord } from './buildRecord.ts'

/** The built app is its folder `dist`. */
export const PROJECT_FOLDER = join(import.meta.dirname, '../..')

export interface BuildState {
  /** `dist` is up to date with the sources and packages. */
  isBuilt: boolean
  isCompressed: boolean
}

export function readBuildState(root = PROJECT_FOLDER): BuildState {
  const record = readBuildRecord(join(root, 'dist'))
  const isBuilt = record !== null && record.inputs === hashBuildInputs(root)
  return { isBuilt, isCompressed: isBuilt && record.isCompressed }
}

/** Writes the app into a folder. */
type Bundle = (folder: string) => Promise<void>

/**
 * Builds into another folder and then renames it to `dist`, so that concurrent builds do not mix. The inputs are
 * hashed before the build: a change during it makes the next start build again.
 */
export async function buildBrowserApp(root = PROJECT_FOLDER, bundle: Bundle = buildAll): Promise<void> {
  removeAbandonedBuilds(root)
  const inputs = hashBuildInputs(root)
  const folder = join(root, `dist-${process.pid}`)
  try {
    await bundle(folder)
    writeBuildRecord(folder, { inputs, isCompressed: false })
    replaceFolder(folder, join(root, 'dist'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The app, and the package of the command `loupe` that the server serves. */
async function buildAll(folder: string): Promise<void> {
  await runVite(['--outDir', folder, '--emptyOutDir'])
  const cliFolder = `${folder}-cli`
  try {
    await runVite(['--config', join(import.meta.dirname, 'cliBundle.ts'), '--outDir', cliFolder, '--emptyOutDir'])
    await packCli(PROJECT_FOLDER, cliFolder, join(folder, 'cli.tgz'))
  } finally {
    rmSync(cliFolder, { recursive: true, force: true })
  }
}

/** In a separate process: the memory that a build takes would stay allocated in the server. */
function runVite(args: readonly string[]): Promise<void> {
  const vite = join(PROJECT_FOLDER, 'node_modules/vite/bin/vite.js')
  const options = ['--configLoader', 'native', '--logLevel', 'warn', ...args]
  const child = spawn(process.execPath, [vite, 'build', ...options], { cwd: PROJECT_FOLDER, stdio: 'inherit' })
  const stop = () => child.kill()
  process.once('exit', stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('exit', stop)
      if (code === 0) resolve()
      else reject(new StartupError('The browser app does not build. See the errors above.'))
    })
  })
}

function removeAbandonedBuilds(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = /^dist-(\d+)(?:-cli)?$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Another build may create its folder at the same moment. */
function replaceFolder(from: string, to: string, attempts = 5): void {
  rmSync(to, { recursive: true, force: true })
  try {
    renameSync(from, to)
  } catch (error) {
    if (attempts <= 1) throw error
    replaceFolder(from, to, attempts - 1)
  }
}

const BIN = 'bin/loupe.mjs'

/**
 * Packs the bundled command as npm expects it: `npm exec --package=URL/cli.tgz -- loupe`. It has the version of the
 * server that serves it and no dependencies.
 * @param folder with the bundle
 */
async function packCli(projectFolder: string, folder: string, file: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }
  const manifest = {
    name: 'loupe',
    version,
    description: 'Runs suites of a Loupe server from CI',
    type: 'module',
    bin: { loupe: BIN },
    engines: { node: '>=20' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  chmodSync(join(folder, BIN), 0o755)
  await create({ gzip: true, portable: true, prefix: 'package', cwd: folder, file }, ['package.json', BIN])
}
