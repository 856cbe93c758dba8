import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { programs } from '#support/programs.ts'

export interface Postgresql {
  url: string
  /** Kills all its processes without a shutdown, as a crash of its host would, except for the disk. */
  crash: () => Promise<void>
  /** Starts it again after a crash. */
  restart: () => void
  stop: () => Promise<void>
}

/** A PostgreSQL server of a test's own, with one empty database, and so many connections as it has without being told. */
export async function startPostgresql({ maxConnections = 100 } = {}): Promise<Postgresql> {
  const binaries = programs.postgresql.find()
  if (!binaries) throw new Error('This machine has no PostgreSQL (Debian: apt install postgresql).')
  const folder = mkdtempSync(join(tmpdir(), 'loupe-postgresql-'))
  const owner = getOwner(folder)
  const data = join(folder, 'data')
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8'], {
    ...owner,
    stdio: 'ignore',
  })
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    `max_connections=${maxConnections}`,
  ]
  const run = () =>
    spawn(join(binaries, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...owner,
      stdio: 'ignore',
    })
  let server = run()
  const crash = async () => {
    const exited = once(server, 'exit')
    if (server.exitCode === null && server.kill('SIGQUIT')) await exited
  }
  await createDatabase(port)
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/loupe`,
    crash,
    restart: () => {
      server = run()
    },
    stop: async () => {
      await crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL does not run as root; its package brings a user for it. */
function getOwner(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  chownSync(folder, uid, gid)
  return { uid, gid }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Retries until the server responds; the test's own timeout ends this. */
async function createDatabase(port: number): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` })
    try {
      await client.connect()
      await client.query('CREATE DATABASE loupe')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
