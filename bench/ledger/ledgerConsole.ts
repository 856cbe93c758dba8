import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { buildApp } from '../../server/app.ts'
import { openDatabase } from '../../server/db/database.ts'
import { parseEnv } from '../../server/env.ts'
import { FrameWriter } from '../../server/runs/streaming/frameWriter.ts'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'

/**
 * A console for the bench in a process of its own. Its argument selects the storage of frames: `kept` as usual, or
 * `dropped`, the same relay with a ledger that accepts frames and writes none. It prints its address, and at SIGTERM
 * the CPU seconds of its own thread, and those of the whole process, which include the embedded database's thread.
 */
const [frameMode = 'kept', url] = process.argv.slice(2)
if (frameMode === 'dropped') FrameWriter.prototype.write = () => Promise.resolve()
const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
const database = await openDatabase({ url, folder })
const env = parseEnv({ DATA_DIR: folder, SETUP_TOKEN, PORT: '0', PLATFORM: 'off' })
const { app } = await buildApp({
  env,
  database,
  log: pino({ level: 'silent' }),
  version: '0',
  dist: folder,
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
let before = readCpuSeconds()
process.on('message', () => {
  const now = readCpuSeconds()
  process.send?.({ own: now.own - before.own, all: now.all - before.all })
  before = now
})
process.on('SIGTERM', () => {
  void app
    .close()
    .then(() => database.close())
    .then(() => rmSync(folder, { recursive: true, force: true }))
    .then(() => process.exit(0))
})

function readCpuSeconds(): { own: number; all: number } {
  const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6
  return { own: seconds(process.threadCpuUsage()), all: seconds(process.cpuUsage()) }
}
