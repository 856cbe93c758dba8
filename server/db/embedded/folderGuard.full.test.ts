import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { guardFolder } from './folderGuard.ts'

/** Takes the folder's lock and holds it, or exits as the server would. */
const HOLD_LOCK_SCRIPT = `const { guardFolder } = await import(process.env.GUARD)
try { guardFolder(process.env.FOLDER) } catch (error) { process.exit(error.exitCode) }
console.log('held'); setInterval(() => {}, 1000)`

it('lets one of twenty processes in that start at once, and the next one when that is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-guard-'))
  const held: ChildProcess[] = []
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD_LOCK_SCRIPT], {
        env: { ...process.env, FOLDER: folder, GUARD: new URL('./folderGuard.ts', import.meta.url).href },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return new Promise<number | null>((resolve) => {
        child.stdout.once('data', () => {
          held.push(child)
          resolve(0)
        })
        child.once('exit', resolve)
      })
    }),
  )
  expect(codes.sort()).toEqual([0, ...Array.from({ length: 19 }, () => 73)])
  const [holder] = held
  expect(() => guardFolder(folder)).toThrow(`is in use by process ${holder?.pid}`)
  const gone = new Promise((resolve) => holder?.once('exit', resolve))
  holder?.kill('SIGKILL')
  await gone
  guardFolder(folder).release()
  rmSync(folder, { recursive: true, force: true })
})
