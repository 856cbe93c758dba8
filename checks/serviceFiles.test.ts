import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toSkippedTitle } from '#support/skippedTitles.ts'
import { getDrainTimes } from '../server/drain.ts'
import { parseEnv } from '../server/env.ts'

const FOLDER = new URL('../docs/operating/', import.meta.url)
const readShipped = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8')
const canRun = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** Seconds that a server may take to stop, with the defaults of several servers. */
const { drainMs, stopTimeoutMs } = getDrainTimes(parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/loupe' }))
const STOP_SECONDS = (drainMs + stopTimeoutMs) / 1000

describe('the shipped units of systemd', () => {
  const UNITS = ['loupe.service', 'loupe@.service']

  it.each(UNITS)('%s gives a server the time that it takes to stop', (unit) => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(readShipped(unit))?.[1])
    expect(seconds).toBeGreaterThan(STOP_SECONDS)
  })

  const hasSystemd = canRun('systemd-analyze', '--version')
  const test = hasSystemd ? it : it.skip
  const title = 'are accepted by systemd-analyze'
  test(hasSystemd ? title : toSkippedTitle(title, 'no systemd'), () => {
    const folder = mkdtempSync(join(tmpdir(), 'loupe-units-'))
    try {
      for (const unit of UNITS) {
        // The program is not installed where it says.
        const text = readShipped(unit).replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
        writeFileSync(join(folder, unit), text)
      }
      copyFileSync(join(folder, 'loupe@.service'), join(folder, 'loupe@8787.service'))
      for (const unit of ['loupe.service', 'loupe@8787.service']) {
        const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, unit)], {
          encoding: 'utf8',
        })
        const said = stderr.split('\n').filter((line) => line.includes('loupe'))
        expect([status, said]).toEqual([0, []])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the shipped compose file', () => {
  const text = readShipped('compose.yaml')

  it('sets variables that Loupe reads, and gives a server the time that it takes to stop', () => {
    const environment = /^ {2}environment:\n((?: {4}.*\n)+)/m.exec(text)?.[1] ?? ''
    const names = [...environment.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name)
    expect(names).toContain('DATABASE_URL')
    const known = readFileSync(new URL('../server/env.ts', import.meta.url), 'utf8')
    for (const name of names) expect(known).toContain(`  ${name}: `)
    expect(Number(/stop_grace_period: (\d+)s/.exec(text)?.[1])).toBeGreaterThan(STOP_SECONDS)
  })

  const hasCompose = canRun('docker', 'compose', 'version')
  const test = hasCompose ? it : it.skip
  const title = 'is accepted by docker compose'
  test(hasCompose ? title : toSkippedTitle(title, 'no container engine'), () => {
    const secrets = { MASTER_KEY: 'a'.repeat(64), SETUP_TOKEN: 'a-token-of-the-tests', POSTGRES_PASSWORD: 'secret' }
    const { status, stderr } = spawnSync(
      'docker',
      ['compose', '-f', new URL('compose.yaml', FOLDER).pathname, 'config', '--quiet'],
      { env: { ...process.env, ...secrets }, encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([0, ''])
  })
})
