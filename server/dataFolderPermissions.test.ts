import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestFolder } from './db/embedded/folder.testing.ts'

const run = promisify(execFile)

describe('DATA_DIR', () => {
  let place = ''
  let server: ChildProcess | undefined
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'loupe-at-rest-'))
  })
  afterEach(async () => {
    if (server?.exitCode === null && server.kill('SIGKILL')) await once(server, 'exit')
    rmSync(place, { recursive: true, force: true })
  })

  const start = async (folder: string) => {
    // The shell's usual umask, whatever the one of the tests is.
    server = spawn('/bin/sh', ['-c', `umask 022; exec "${process.execPath}" server/start.mjs`], {
      env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', PORT: '0', PLATFORM_PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    for await (const part of server.stdout ?? []) if ((text += String(part)).includes('sign in')) break
    expect(text).toContain('sign in')
  }
  const stop = async () => {
    server?.kill('SIGTERM')
    if (server?.exitCode === null) await once(server, 'exit')
    expect(server?.exitCode).toBe(0)
  }
  /** Every entry that somebody else may read, write or enter. */
  const openEntries = (folder: string) =>
    ['', ...(readdirSync(folder, { recursive: true }) as string[])].filter((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false })
      // Nobody reaches a socket in a closed folder.
      return stat && !stat.isSocket() && (stat.mode & 0o077) !== 0
    })

  it('that was made beforehand for everybody is closed, and so is all that is written into it', async () => {
    const folder = join(place, 'data')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    await start(folder)
    expect(readdirSync(join(folder, 'database'), { recursive: true }).length).toBeGreaterThan(500)
    expect(openEntries(folder)).toEqual([])
    await stop()
    expect(openEntries(folder)).toEqual([])
  })

  it('of an earlier release, with files that everybody may write, is closed at the next start; what is not its own stays', async () => {
    const folder = await createTestFolder()
    try {
      mkdirSync(join(folder, 'snapshots'))
      const all = ['', ...(readdirSync(folder, { recursive: true }) as string[])].map((name) => join(folder, name))
      for (const path of all) chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666)
      expect(openEntries(folder).length).toBe(all.length)
      mkdirSync(join(folder, 'notes'))
      chmodSync(join(folder, 'notes'), 0o755)
      await start(folder)
      // Nobody else reaches it: the folder around it is closed.
      expect(openEntries(folder)).toEqual(['notes'])
      await stop()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('that belongs to somebody else and stays open is refused with exit code 78, and nothing is written', async () => {
    const isRoot = process.getuid?.() === 0
    chmodSync(place, 0o777)
    // Who is not root finds a folder of root's that everybody may write.
    const folder = isRoot ? place : '/tmp'
    const names = () => (isRoot ? readdirSync(folder) : [])
    const start = run(process.execPath, ['server/start.mjs'], {
      env: { ...process.env, HOME: '/', DATA_DIR: folder, DATABASE_URL: '', PORT: '0', PLATFORM: 'off' },
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    })
    await expect(start).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringMatching(
        new RegExp(`^Other users of this machine can open ${folder} \\(mode 777, owner 0\\).*EPERM`),
      ) as string,
    })
    expect(names()).toEqual([])
  })

  it('is closed beside a PostgreSQL server too, before a connection is opened', async () => {
    const folder = join(place, 'data')
    mkdirSync(join(folder, 'secrets'), { recursive: true })
    for (const path of [folder, join(folder, 'secrets')]) chmodSync(path, 0o755)
    const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nowhere', PORT: '0' }
    await expect(run(process.execPath, ['server/start.mjs'], { env })).rejects.toMatchObject({ code: 1 })
    expect(openEntries(folder)).toEqual([])
  })
})

describe('the process', () => {
  it('whose console listens everywhere keeps the built-in platform on the loopback', async () => {
    const place = await createTestFolder()
    const server = spawn(process.execPath, ['server/start.mjs'], {
      env: {
        ...process.env,
        DATA_DIR: place,
        DATABASE_URL: '',
        HOST: '0.0.0.0',
        INSECURE_HTTP: '1',
        PORT: '0',
        PLATFORM_PORT: '0',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let text = ''
      for await (const part of server.stdout) if ((text += String(part)).includes('sign in')) break
      const portOf = (name: string) => new RegExp(`^${name}\\s+http://[\\d.]+:(\\d+)`, 'm').exec(text)?.[1]
      // Another address of this machine's loopback: what listens on 127.0.0.1 alone does not answer there.
      const fetchFromOtherAddress = (name: string) =>
        fetch(`http://127.0.0.2:${portOf(name)}/healthz`).then(({ status }) => status)
      expect(await fetchFromOtherAddress('console')).toBe(200)
      await expect(fetchFromOtherAddress('platform')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
      expect((await fetch(`http://127.0.0.1:${portOf('platform')}/v1/`)).status).toBe(200)
    } finally {
      if (server.kill('SIGKILL')) await once(server, 'exit')
      rmSync(place, { recursive: true, force: true })
    }
  })

  it('opens no inspector at SIGUSR1, and goes on', async () => {
    const place = await createTestFolder()
    const server = spawn(process.execPath, ['server/start.mjs'], {
      env: { ...process.env, DATA_DIR: place, DATABASE_URL: '', PORT: '0', PLATFORM: 'off', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      let text = ''
      server.stderr.on('data', (part: Buffer) => (text += String(part)))
      for await (const part of server.stdout) if ((text += String(part)).includes('sign in')) break
      const url = /^console\s+(\S+)$/m.exec(text)?.[1] ?? 'nowhere'
      server.kill('SIGUSR1')
      // The inspector announces itself in a thread of its own; a few replies later it has.
      for (let count = 0; count < 20; count++) expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect(text).not.toContain('Debugger listening')
      expect(server.exitCode).toBeNull()
      server.kill('SIGTERM')
      await once(server, 'exit')
      expect(server.exitCode).toBe(0)
      expect(text).not.toContain('Debugger')
    } finally {
      if (server.exitCode === null) server.kill('SIGKILL')
      rmSync(place, { recursive: true, force: true })
    }
  })
})
