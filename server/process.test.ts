import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import { toMessageBlock, createAnswerIds, openStream, ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { readFrames } from './app.testing.ts'
import { createTestFolder } from './db/embedded/folder.testing.ts'

const SETUP_TOKEN = 'setup-token-of-the-tests'
const ids = createAnswerIds()

/** The server as people start it, with a platform that speaks until it is cut. */
describe('the process', () => {
  let folder = ''
  let platform: ScriptedPlatform
  let server: ChildProcess
  let url = ''
  let cookie = ''
  let key = ''
  beforeAll(async () => {
    folder = await createTestFolder()
    platform = await ScriptedPlatform.start()
    platform.script = (_seen, response) => {
      openStream(response)
      let count = 0
      const timer = setInterval(() => response.write(toMessageBlock(ids, `word${count++} `)), 2)
      response.on('close', () => clearInterval(timer))
    }
    await start()
    const { id } = await send<{ id: string }>('/api/workspaces', { name: 'Scripted', base_url: platform.url })
    key = (
      await send<{ id: string }>(`/api/workspaces/${id}/keys`, { kind: 'chat', label: 'chat', key: 'app-scripted' })
    ).id
  })
  afterEach(() => void server.kill('SIGKILL'))
  afterAll(async () => {
    server.kill('SIGKILL')
    await platform.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (env: Record<string, string> = {}) => {
    server = spawn(process.execPath, ['server/start.mjs'], {
      env: { ...process.env, DATA_DIR: folder, PORT: '0', PLATFORM: 'off', SETUP_TOKEN, LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    for await (const part of server.stdout ?? []) {
      said += String(part)
      if (said.includes('sign in')) break
    }
    url = /^console\s+(\S+)$/m.exec(said)?.[1] ?? 'nowhere'
    const response = await post('/api/session', { token: SETUP_TOKEN })
    cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return said
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { cookie, 'x-console': '1', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const send = async <T>(path: string, body: unknown) => (await (await post(path, body)).json()) as T
  const read = async <T>(path: string) => (await (await fetch(url + path, { headers: { cookie } })).json()) as T

  /** Asks, and gives what the browser was shown until the line broke. `enough` is told how many frames came. */
  const watch = async (id: string, enough: () => void): Promise<string> => {
    const response = await post(`/api/keys/${key}/chat-messages`, { query: 'Why?', user: 'me' }, { 'run-id': id })
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const part of response.body ?? []) {
        text += decoder.decode(part as Uint8Array, { stream: true })
        if (text.split('\nid: ').length > 50) enough()
      }
    } catch {
      // The line broke: that is what the test is about.
    }
    return text.slice(0, text.lastIndexOf('\n\n') + 2)
  }

  it('that is killed has kept every frame that a browser was shown, and settles the run at its next start', async () => {
    const id = randomUUID()
    const { frames } = readFrames(await watch(id, () => server.kill('SIGKILL')))
    await start()
    const run = await read<Run & { answer: { text: string } }>(`/api/runs/${id}`)
    expect(run).toMatchObject({ status: 'interrupted', problem: { kind: 'cut' } })
    const { data } = await read<{ data: Frame[] }>(`/api/runs/${id}/frames?limit=5000`)
    expect(data.slice(0, frames.length).map(({ seq, block }) => ({ id: seq, block }))).toEqual(frames)
    expect(frames.length).toBeGreaterThanOrEqual(50)
    expect(run.frames).toBe(data.length)
    expect(run.answer.text).toBe(data.map((_, index) => `word${index} `).join(''))
  })

  it('that has an OpenID provider prints the addresses to register there', async () => {
    const printed = await start({
      PUBLIC_URL: 'https://loupe.example',
      OIDC_ISSUER: 'https://id.example/realms/acme',
      OIDC_CLIENT_ID: 'loupe',
      OIDC_ROLES: 'groups:loupe-admins=admin',
    })
    expect(printed).toMatch(/^callback +https:\/\/loupe\.example\/api\/session\/oidc\/callback .*id\.example/m)
    expect(printed).toMatch(/^logout +https:\/\/loupe\.example\/api\/session\/oidc\/backchannel-logout /m)
  })

  it('that is stopped ends its streams, writes how its runs stand, and exits with 0 within ten seconds', async () => {
    await start()
    const id = randomUUID()
    let asked = 0
    const text = await watch(id, () => {
      // A second signal would end the process at once, with 1.
      if (asked) return
      asked = Date.now()
      server.kill('SIGTERM')
    })
    expect(readFrames(text).run).toBeNull()
    if (server.exitCode === null) await once(server, 'exit')
    expect(server.exitCode).toBe(0)
    expect(Date.now() - asked).toBeLessThan(10_000)
    await start()
    const run = await read<Run>(`/api/runs/${id}`)
    // Written by the server that stopped, not by the next one, whose word would be another.
    expect(run).toMatchObject({
      status: 'interrupted',
      problem: { message: expect.stringContaining('during this run') as string },
    })
    expect(run.frames).toBeGreaterThanOrEqual(50)
  })

  it('in which an error is held by nobody stops in order and exits with 1', async () => {
    // At a signal that nothing else listens to.
    const fault = `process.once('SIGWINCH', () => void Promise.reject(new Error('held by nobody')))`
    await start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`, LOG_LEVEL: 'silent' })
    const id = randomUUID()
    const text = await watch(id, () => server.kill('SIGWINCH'))
    expect(readFrames(text).run).toBeNull()
    if (server.exitCode === null) await once(server, 'exit')
    expect(server.exitCode).toBe(1)
    await start()
    // As at every stop: by the server that stopped, with all that was shown.
    const run = await read<Run>(`/api/runs/${id}`)
    expect(run).toMatchObject({
      status: 'interrupted',
      problem: { message: expect.stringContaining('during this run') as string },
    })
    expect(run.frames).toBeGreaterThanOrEqual(readFrames(text).frames.length)
  })

  it('takes a snapshot when a command asks for it, and goes on', async () => {
    await start()
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--liftoff-only', 'server/snapshotCommand.ts', 'take'],
      {
        env: { ...process.env, DATA_DIR: folder },
      },
    )
    expect(stdout).toMatch(/^\S+Z\.tar\.gz  \d+\.\d MiB\n$/)
    expect(await read('/api/session')).toBeTruthy()
  })

  it('that `npm start` began stops with npm, whose signals reach the shell alone', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
    server = spawn('sh', ['-c', scripts.start.replace(' --build', '')], {
      env: { ...process.env, DATA_DIR: await createTestFolder(), PORT: '0', PLATFORM: 'off', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    for await (const part of server.stdout ?? []) if ((said += String(part)).includes('sign in')) break
    server.kill('SIGTERM')
    await once(server, 'exit')
    expect(server.exitCode).toBe(0)
  })

  it('starts where it is called with nothing said but its ports, keeps its folder there, and is found there again', async () => {
    const place = mkdtempSync(join(tmpdir(), 'loupe-start-'))
    const script = new URL('./start.mjs', import.meta.url).pathname
    const { DATA_DIR: _folder, DATABASE_URL: _url, ...rest } = process.env
    for (const _time of ['first', 'again']) {
      server = spawn(process.execPath, [script], {
        cwd: place,
        env: { ...rest, PORT: '0', PLATFORM_PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      server.stderr?.on('data', (part: Buffer) => (said += String(part)))
      for await (const part of server.stdout ?? []) if ((said += String(part)).includes('sign in')) break
      expect(said).toContain('sign in')
      server.kill('SIGTERM')
      await once(server, 'exit')
      expect(server.exitCode).toBe(0)
    }
    expect(readdirSync(place)).toEqual(['data'])
    rmSync(place, { recursive: true, force: true })
  })

  it('with an environment that is not right says what is, and that another start would not help', async () => {
    const env = { ...process.env, DATA_DIR: folder, HOST: '0.0.0.0', PUBLIC_URL: '' }
    const start = promisify(execFile)(process.execPath, ['server/start.mjs'], { env })
    await expect(start).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/^Invalid environment variables:\n {2}HOST: .*\n$/) as string,
    })
  })
})
