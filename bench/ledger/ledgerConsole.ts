import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'
import { buildApp } from '../../server/app.ts'
import { openDatabase } from '../../server/db/database.ts'
import { parseEnv } from '../../server/env.ts'
import { FrameWriter } from '../../server/runs/streaming/frameWriter.ts'

/**
 * A console for the bench in a process of its own. Its argument selects the storage of frames: `kept` as usual, or
 * `dropped`, the same relay with a ledger that accepts frames and writes none. It prints its address, and sends for each message
 * the CPU seconds since the one before, of its own thread and of the process.
 */
const [frameMode = 'kept', url] = process.argv.slice(2)
if (frameMode === 'dropped') FrameWriter.prototype.write = () => Promise.resolve()
const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
const database = await openDatabase({ url, folder })
const env = parseEnv({ DATA_DIR: folder, SETUP_TOKEN, PORT: '0', PLATFORM: 'off' })
const { app } = await buildApp({ env, database, log: pino({ level: 'silent' }), version: '0', dist: folder })
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)

const [ownThread, wholeProcess] = [createCpuClock(process.threadCpuUsage), createCpuClock(process.cpuUsage)]
process.on('message', () => process.send?.({ own: ownThread(), all: wholeProcess() }))
process.on('SIGTERM', async () => {
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})

/** Seconds since the last call. */
function createCpuClock(read: () => NodeJS.CpuUsage): () => number {
  let before = read()
  return () => {
    const [now, last] = [read(), before]
    before = now
    return (now.user + now.system - last.user - last.system) / 1e6
  }
}
