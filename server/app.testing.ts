import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll } from 'vitest'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { buildApp, type BuiltConsole } from './app.ts'
import { type Database, openDatabase } from './db/database.ts'
import type { ReadDiskStats } from './db/embedded/diskSpace.ts'
import { borrowDatabase } from './db/embedded/databasePool.testing.ts'
import { createTestFolder } from './db/embedded/folder.testing.ts'
import { startPostgresql } from './db/postgresql.testing.ts'
import { parseEnv } from './env.ts'

const SETUP_TOKEN = 'setup-token-of-the-tests'

/** `ownsFolder`: the embedded database is in `folder`, for tests that look at it, and `closeConsole` closes it. */
type StartOptions = [
  database_url?: string,
  /** A function where they are known once the hooks before it have run. */
  settings?: Record<string, string> | (() => Record<string, string>),
  options?: { statementTimeoutMs?: number; ownsFolder?: boolean },
]

/** A console on a free port with an empty database, a scripted platform, and a person who is signed in. */
export class TestConsole {
  folder = ''
  platform!: ScriptedPlatform
  database!: Database
  console!: BuiltConsole
  url = ''
  cookie = ''
  workspace = ''
  /** Ids of one key of each kind; their values are `sentinel`, followed by the kind. */
  keys: Record<'knowledge' | 'chat' | 'completion' | 'workflow', string> = {
    knowledge: '',
    chat: '',
    completion: '',
    workflow: '',
  }
  readonly secretKey = 'sk-sentinel-0f3a9c77'
  /** What is said of the disk, where a test has it full. */
  readDisk: ReadDiskStats | undefined
  /** More of the environment. */
  settings: Record<string, string> = {}
  /** All that was logged. */
  log = ''

  /** Of the pool of embedded databases; null on a PostgreSQL server, and where the folder has a database of its own. */
  #borrowed: Awaited<ReturnType<typeof borrowDatabase>> | null = null
  /** A PostgreSQL server's database; without it the embedded one. Milliseconds that it may take, where not the usual ones. */
  #database_url: string | undefined
  #statementTimeoutMs: number | undefined
  #sharesDatabase = false

  /** For all tests of a file or of a `describe`: it is started before the first of them and removed after the last. */
  static forFile(...options: StartOptions): TestConsole {
    const testConsole = new TestConsole()
    beforeAll(() => testConsole.#start(...options))
    afterAll(() => testConsole.remove())
    return testConsole
  }

  /** Two servers on one PostgreSQL, for all tests of a `describe`. */
  static pairForFile(getSettings: () => Record<string, string>) {
    const [one, other] = [new TestConsole(), new TestConsole()]
    let postgresql: Awaited<ReturnType<typeof startPostgresql>>
    beforeAll(async () => {
      postgresql = await startPostgresql()
      await one.#start(postgresql.url, getSettings())
      await other.#startBeside(one)
    })
    afterAll(async () => {
      await other.remove()
      await one.remove()
      await postgresql.stop()
    })
    return { one, other, getDatabaseUrl: () => postgresql.url }
  }

  static async start(...options: StartOptions): Promise<TestConsole> {
    const testConsole = new TestConsole()
    await testConsole.#start(...options)
    return testConsole
  }

  async #start(...[database_url, settings = {}, { statementTimeoutMs, ownsFolder = false } = {}]: StartOptions) {
    this.settings = typeof settings === 'function' ? settings() : settings
    this.#statementTimeoutMs = statementTimeoutMs
    this.#database_url = database_url
    this.folder = ownsFolder ? await createTestFolder() : createEmptyFolder()
    if (!database_url && !ownsFolder) this.#borrowed = await borrowDatabase()
    this.platform = await ScriptedPlatform.start()
    await this.openConsole()
    const workspace = await this.json<{ id: string }>('POST', '/api/workspaces', {
      name: 'Scripted',
      base_url: this.platform.url,
    })
    this.workspace = workspace.id
    for (const kind of ['knowledge', 'chat', 'completion', 'workflow'] as const) {
      const body = { kind, label: `the ${kind} key`, key: `${this.secretKey}-${kind}` }
      this.keys[kind] = (await this.json<{ id: string }>('POST', `/api/workspaces/${workspace.id}/keys`, body)).id
    }
    // What it was asked about the new keys is no test's concern.
    this.platform.requests.length = 0
  }

  /** Another server on the same PostgreSQL, with the same person signed in. Who began is removed last. */
  async startBeside(): Promise<TestConsole> {
    const other = new TestConsole()
    await other.#startBeside(this)
    return other
  }

  async #startBeside(one: TestConsole): Promise<void> {
    this.settings = one.settings
    this.#database_url = one.#database_url
    this.#sharesDatabase = true
    this.folder = createEmptyFolder()
    this.platform = one.platform
    this.workspace = one.workspace
    this.keys = one.keys
    await this.openConsole()
  }

  /** Starts the console on its folder; a second time, as after a restart. */
  async openConsole(): Promise<void> {
    const env = parseEnv({ DATA_DIR: this.folder, SETUP_TOKEN, PORT: '0', ...this.settings })
    const log = pino({ level: 'trace' }, { write: (line: string) => void (this.log += line) })
    this.database =
      this.#borrowed?.connect() ??
      (await openDatabase({
        url: this.#database_url,
        statementTimeoutMs: this.#statementTimeoutMs,
        folder: this.folder,
        onDeath: () => undefined,
      }))
    this.console = await buildApp({
      env,
      database: this.database,
      log,
      version: '0.0.0',
      dist: join(this.folder, 'dist'),
      readDisk: this.readDisk,
    })
    await this.console.app.listen({ host: '127.0.0.1', port: 0 })
    this.url = `http://127.0.0.1:${(this.console.app.server.address() as AddressInfo).port}`
    const response = await this.fetch('POST', '/api/session', { token: SETUP_TOKEN })
    this.cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }

  /** Another start of the console on its folder. */
  async restart(settings = this.settings): Promise<void> {
    await this.closeConsole()
    this.settings = settings
    await this.openConsole()
  }

  async closeConsole(): Promise<void> {
    await this.console.app.close()
    await this.database.close()
  }

  async remove(): Promise<void> {
    await this.closeConsole()
    await this.#borrowed?.giveBack()
    if (!this.#sharesDatabase) await this.platform.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  fetch(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...(method === 'GET' ? {} : { 'x-console': '1' }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.fetch(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }

  /** All of a list that is one page. */
  async list<Row>(path: string): Promise<Row[]> {
    return (await this.json<{ data: Row[] }>('GET', path)).data
  }

  async readKey(id: string): Promise<Key | undefined> {
    return (await this.list<Workspace>('/api/workspaces')).flatMap(({ keys }) => keys).find((key) => key.id === id)
  }

  /** Asks the database past the console. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.database.pool.query<Row>(text, values)).rows
  }

  ask(body: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(
      'POST',
      `/api/keys/${this.keys.chat}/chat-messages`,
      { query: 'Why?', user: 'tester', ...body },
      headers,
    )
  }
}

/** The platform's comments have numbers, as all of its blocks. */
const isOwnComment = (block: string): boolean => block.startsWith(':') && !block.includes('\nid: ')

/** The frames of a stream that the console sent: number and block; and the run that its last block holds, if it came. */
export function readFrames(text: string): {
  frames: { id: number; block: string }[]
  run: Record<string, unknown> | null
} {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !isOwnComment(block))
  const last = blocks.find((block) => block.startsWith('event: loupe.run\n'))
  return {
    frames: blocks
      .filter((block) => block !== last)
      .map((block) => {
        const lines = block.split('\n')
        return { id: Number(lines.pop()?.replace('id: ', '')), block: lines.join('\n') }
      }),
    run: last ? (JSON.parse(last.split('\ndata: ')[1] ?? '') as Record<string, unknown>) : null,
  }
}

const createEmptyFolder = (): string => mkdtempSync(join(tmpdir(), 'loupe-test-'))
