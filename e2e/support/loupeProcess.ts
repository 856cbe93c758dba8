import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the folder that `begun` copies. */
export const TEMPLATE_ENV = 'LOUPE_TEMPLATE'
export const SETUP_TOKEN = 'setup-token-of-the-specs'
/** A start that takes longer hangs: what it has printed says more than the time limit of a test. */
const MAX_START_MS = 240_000

/** One Loupe as a person starts it: its own process, its own folder, free ports. */
export class LoupeProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'loupe-e2e-'))
  readonly #env: Record<string, string>
  readonly #root: string
  #process: ChildProcess | null = null
  #ports = { PORT: '0', PLATFORM_PORT: '0' }
  url = ''
  platform = ''
  link = ''
  /** All that the process has printed. */
  output = ''

  /** @param root the checkout whose server is started */
  constructor(env: Record<string, string> = {}, root = '.') {
    this.#env = env
    this.#root = root
  }

  /** One that has already had its first start. */
  static fromTemplate(env: Record<string, string> = {}): LoupeProcess {
    const loupe = new LoupeProcess(env)
    cpSync(process.env[TEMPLATE_ENV] ?? '', loupe.folder, { recursive: true })
    return loupe
  }

  /**
   * Starts it, the second time on the same ports, and waits until it has printed its address.
   * @throws Error with all that it has printed, if it ends or hangs.
   */
  async start(): Promise<this> {
    const child = spawn(process.execPath, ['server/start.mjs'], {
      env: {
        ...process.env,
        SETUP_TOKEN,
        SNAPSHOTS: '0',
        RATE_LIMIT_FACTOR: '1000',
        DRAIN_SECONDS: '0',
        STOP_TIMEOUT_SECONDS: '5',
        LOG_LEVEL: 'warn',
        ...this.#env,
        ...this.#ports,
        DATA_DIR: this.folder,
      },
      cwd: this.#root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    let printed = ''
    await new Promise<void>((resolve, reject) => {
      const read = (part: Buffer) => {
        printed += part.toString()
        this.output += part.toString()
        if (/sign in +\S+\n/.test(printed)) resolve()
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`Loupe exited with ${code}:\n${printed}`)))
      setTimeout(() => reject(new Error(`Loupe hangs at its start:\n${printed}`)), MAX_START_MS).unref()
    })
    this.url = matchFirst(printed, /console +(\S+)/)
    this.platform = matchFirst(printed, /platform +(\S+)/)
    this.link = matchFirst(printed, /sign in +(\S+)/)
    this.#ports = { PORT: new URL(this.url).port, PLATFORM_PORT: this.platform ? new URL(this.platform).port : '0' }
    return this
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** `kill -9`, as a power cut of the process would do it. */
  kill(): Promise<number | null> {
    return this.#waitForExit('SIGKILL')
  }

  /** SIGTERM. @returns its exit code, null where there is none: it was killed, or did not run. */
  stop(): Promise<number | null> {
    return this.#waitForExit('SIGTERM')
  }

  /** Without a shutdown, which takes a second or more: of what it would still write nothing is left. */
  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #waitForExit(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve(null)
    return new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
      child.kill(signal)
    })
  }
}

const matchFirst = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
