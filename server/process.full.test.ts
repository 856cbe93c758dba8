import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { BrowserClient } from '../checks/kill/browserClient.ts'
import { addAppKeys, createPreparedLoupe, signIn } from '../checks/kill/consoleClient.ts'
import { streamForever } from '../checks/kill/streamingPlatform.ts'
import { createTestFolder } from './db/embedded/folder.testing.ts'

describe('the process', () => {
  let folder = ''
  let server: ChildProcess | undefined
  beforeAll(async () => {
    folder = await createTestFolder()
  })
  afterEach(() => void server?.kill('SIGKILL'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Resolves with what it has printed once it can be used. */
  const start = async (command: string, args: string[], env: NodeJS.ProcessEnv, cwd?: string) => {
    const child = spawn(command, args, { cwd, env: { ...env, PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] })
    server = child
    let printed = ''
    child.stderr.on('data', (part: Buffer) => (printed += String(part)))
    for await (const part of child.stdout) if ((printed += String(part)).includes('sign in')) break
    expect(printed).toContain('sign in')
    return printed
  }
  const waitForExit = async () => {
    if (server?.exitCode === null) await once(server, 'exit')
    return server?.exitCode
  }

  it('prints the addresses to register at an OpenID provider, and goes on while a command takes a snapshot', async () => {
    const loupe = await createPreparedLoupe({
      PLATFORM: 'off',
      PUBLIC_URL: 'https://loupe.example',
      OIDC_ISSUER: 'https://id.example/realms/acme',
      OIDC_CLIENT_ID: 'loupe',
      OIDC_ROLES: 'groups:loupe-admins=admin',
    })
    try {
      await loupe.start()
      expect(loupe.output).toMatch(/^callback +https:\/\/loupe\.example\/api\/session\/oidc\/callback .*id\.example/m)
      expect(loupe.output).toMatch(/^logout +https:\/\/loupe\.example\/api\/session\/oidc\/backchannel-logout /m)
      const args = ['--liftoff-only', 'server/snapshotCommand.ts', 'take']
      const env = { ...process.env, DATA_DIR: loupe.folder }
      const { stdout } = await promisify(execFile)(process.execPath, args, { env })
      expect(stdout).toMatch(/^\S+Z\.tar\.gz  \d+\.\d MiB\n$/)
      expect((await fetch(`${loupe.url}/readyz`)).status).toBe(200)
    } finally {
      await loupe.remove()
    }
  })

  it('in which an error is caught by nothing stores how its runs stand, and exits with 1', async () => {
    const platform = await ScriptedPlatform.start()
    const env = { ...process.env, DATA_DIR: folder, PLATFORM: 'off', SETUP_TOKEN, LOG_LEVEL: 'silent' }
    // At a signal that nothing else listens to.
    const fault = `process.once('SIGWINCH', () => void Promise.reject(new Error('caught by nothing')))`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`
    const readUrl = (printed: string) => ({ url: /^console\s+(\S+)$/m.exec(printed)?.[1] ?? 'nowhere' })
    try {
      const faulty = readUrl(await start(process.execPath, ['server/start.mjs'], { ...env, NODE_OPTIONS }))
      const { cookie, send } = await signIn(faulty)
      streamForever(platform)
      const browser = await BrowserClient.open(faulty.url, cookie, await addAppKeys(send, platform.url))
      const [run] = browser.startRuns('faulty', 1)
      await expect.poll(() => run?.shownFrames.size).toBeGreaterThan(50)
      server?.kill('SIGWINCH')
      expect(await waitForExit()).toBe(1)
      const next = await signIn(readUrl(await start(process.execPath, ['server/start.mjs'], env)))
      const stored = await next.send<Run>('GET', `/api/runs/${run?.id}`)
      // As at every stop: by the server that stopped, with all that was shown.
      expect(stored).toMatchObject({
        status: 'interrupted',
        problem: { message: expect.stringContaining('during this run') as string },
      })
      expect(stored.frames).toBeGreaterThanOrEqual(run?.shownFrames.size ?? Infinity)
    } finally {
      await platform.close()
    }
  })

  it('that `npm start` began stops with npm, whose signals reach the shell alone', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
    const env = { ...process.env, DATA_DIR: folder, PLATFORM: 'off', LOG_LEVEL: 'error' }
    await start('sh', ['-c', scripts.start.replace(' --build', '')], env)
    server?.kill('SIGTERM')
    expect(await waitForExit()).toBe(0)
  })

  it('starts in any folder with nothing set but its ports, keeps its data there, closed to others, and starts there again', async () => {
    const place = mkdtempSync(join(tmpdir(), 'loupe-start-'))
    const script = new URL('./start.mjs', import.meta.url).pathname
    const { DATA_DIR: _folder, DATABASE_URL: _url, ...rest } = process.env
    for (const _time of ['first', 'again']) {
      // The shell's usual umask, whatever the one of the tests is.
      const command = `umask 022; exec "${process.execPath}" "${script}"`
      await start('/bin/sh', ['-c', command], { ...rest, PLATFORM_PORT: '0' }, place)
      server?.kill('SIGTERM')
      expect(await waitForExit()).toBe(0)
    }
    expect(readdirSync(place)).toEqual(['data'])
    const { stdout: open } = await promisify(execFile)('find', [join(place, 'data'), '-perm', '/077'])
    expect(open).toBe('')
    rmSync(place, { recursive: true, force: true })
  })
})
