import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildBrowserApp, readBuildState } from './browserBuild.ts'
import { compressAssets } from './compressAssets.ts'

const SCRIPT = 'console.log("built")\n'.repeat(50)
const NOTHING = { isBuilt: false, isCompressed: false }

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loupe-build-'))
  write('src/app/entry.tsx', 'export const one = 1')
  write('src/contract/runs.ts', 'export const two = 2')
  write('src/app/entry.test.tsx', 'test()')
  write('public/favicon.svg', '<svg/>')
  write('index.html', '<html>')
  write('vite.config.ts', 'export default {}')
  write('package-lock.json', '{"vite":"8"}')
  write('node_modules/.package-lock.json', '{"vite":"8"}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('builds what was never built, and not again', async () => {
  expect(readBuildState(root)).toEqual(NOTHING)
  await buildBrowserApp(root, bundle)
  expect(readBuildState(root)).toEqual({ isBuilt: true, isCompressed: false })
  expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
})

it.each([
  'src/app/entry.tsx',
  'src/contract/runs.ts',
  'src/new/file.ts',
  'cli/main.ts',
  'public/favicon.svg',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  '.env.production',
  'server/browserApp/browserBuild.ts',
])('builds again when %s has changed, and not when it is as it was', async (path) => {
  await buildBrowserApp(root, bundle)
  const before = existsSync(join(root, path)) ? readFileSync(join(root, path)) : null
  write(path, 'something else')
  expect(readBuildState(root)).toEqual(NOTHING)
  if (before) write(path, before)
  else rmSync(join(root, path))
  expect(readBuildState(root).isBuilt).toBe(true)
})

it('builds again when a file was deleted or renamed', async () => {
  write('src/app/other.ts', 'export const three = 3')
  await buildBrowserApp(root, bundle)
  rmSync(join(root, 'src/app/other.ts'))
  expect(readBuildState(root).isBuilt).toBe(false)
  write('src/app/renamed.ts', 'export const three = 3')
  expect(readBuildState(root).isBuilt).toBe(false)
})

it('does not build again for a test or for what the server reads alone', async () => {
  await buildBrowserApp(root, bundle)
  write('src/app/entry.test.tsx', 'another test()')
  write('server/main.ts', 'serve()')
  expect(readBuildState(root).isBuilt).toBe(true)
})

it('builds again where the folder, or a file of it, is gone or cut', async () => {
  await buildBrowserApp(root, bundle)
  rmSync(join(root, 'dist/assets/entry.js'))
  expect(readBuildState(root).isBuilt).toBe(false)
  write('dist/assets/entry.js', SCRIPT.slice(1))
  expect(readBuildState(root).isBuilt).toBe(false)
  write('dist/assets/entry.js', SCRIPT)
  expect(readBuildState(root).isBuilt).toBe(true)
  write('dist/.build.json', '{"inputs":')
  expect(readBuildState(root).isBuilt).toBe(false)
  rmSync(join(root, 'dist'), { recursive: true })
  expect(readBuildState(root).isBuilt).toBe(false)
})

it('a build that failed or was interrupted is none, and the one before stays', async () => {
  await buildBrowserApp(root, bundle)
  const fail = async (folder: string) => {
    await bundle(folder)
    throw new Error('out of memory')
  }
  write('src/app/entry.tsx', 'export const one = 11')
  await expect(buildBrowserApp(root, fail)).rejects.toThrow('out of memory')
  expect(readBuildState(root).isBuilt).toBe(false)
  expect(readFileSync(join(root, 'dist/assets/entry.js'), 'utf8')).toBe(SCRIPT)
  // What a build leaves that was killed: no process has this id.
  write('dist-99999999/assets/entry.js', 'half')
  await buildBrowserApp(root, bundle)
  expect(readBuildState(root).isBuilt).toBe(true)
  expect(readdirSync(root)).not.toContain('dist-99999999')
})

it('what changes during the build is not in it', async () => {
  await buildBrowserApp(root, async (folder) => {
    await bundle(folder)
    write('src/app/entry.tsx', 'export const one = 11')
  })
  expect(readBuildState(root).isBuilt).toBe(false)
})

it('compresses each script later, whole or not at all', async () => {
  await buildBrowserApp(root, bundle)
  await compressAssets(join(root, 'dist'))
  const script = join(root, 'dist/assets/entry.js')
  expect(gunzipSync(readFileSync(`${script}.gz`)).toString()).toBe(SCRIPT)
  expect(brotliDecompressSync(readFileSync(`${script}.br`)).toString()).toBe(SCRIPT)
  expect(readdirSync(join(root, 'dist')).sort()).toEqual(['.build.json', 'assets', 'index.html'])
  expect(readBuildState(root)).toEqual({ isBuilt: true, isCompressed: true })
  rmSync(`${script}.br`)
  expect(readBuildState(root)).toEqual(NOTHING)
})

function write(path: string, content: string | Uint8Array): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function bundle(folder: string): Promise<void> {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<html>')
  writeFileSync(join(folder, 'assets/entry.js'), SCRIPT)
  return Promise.resolve()
}
