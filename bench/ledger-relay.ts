import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { buildApp } from '../server/app.ts'
import { type Database, open } from '../server/database/database.ts'
import { readEnv } from '../server/env.ts'
import { SETUP_TOKEN } from '../e2e/loupe.ts'

/**
 * A console for the bench in a process of its own. Its argument says what becomes of frames: `kept` as ever, or `dropped`,
 * which is the same relay with a ledger that takes them and writes none. It prints where it listens, and at SIGTERM the
 * seconds of CPU that its own thread took, and those of the whole process, where the embedded database has a thread.
 */
const [how = 'kept', url] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
const database = await open({ url, folder })
const env = readEnv({ DATA_DIR: folder, SETUP_TOKEN, PORT: '0', PLATFORM: 'off' })
const { app } = await buildApp({
  env,
  database: how === 'kept' ? database : dropping(database),
  log: pino({ level: 'silent' }),
  version: '0',
  dist: folder,
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
let before = taken()
process.on('message', () => {
  const now = taken()
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

function taken(): { own: number; all: number } {
  const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6
  return { own: seconds(process.threadCpuUsage()), all: seconds(process.cpuUsage()) }
}

function dropping(real: Database): Database {
  const pool = new Proxy(real.pool, {
    get(target, name) {
      if (name !== 'query') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      }
      return (asked: string | { text: string }, values?: unknown[]) =>
        typeof asked === 'object' && asked.text.startsWith('INSERT INTO frames')
          ? Promise.resolve({ rows: [], rowCount: 0 })
          : target.query(asked as string, values)
    },
  })
  return { ...real, pool }
}
