import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import { type AppKind, createSender, type SendRaw } from './consoleClient.ts'

/** A requested run, and what was shown of it. */
export interface RequestedRun {
  id: string
  name: string
  /** Blocks by their numbers. */
  shownFrames: Map<number, string>
  /** Whether the server has confirmed the run. */
  isAccepted: boolean
  /** Its final status, if that was shown. */
  end: Run['status'] | null
  /** Resolves when nothing more is shown: the run has ended, or the connection was lost. */
  done: Promise<void>
}

export const createRequestedRun = (name: string): RequestedRun => ({
  id: randomUUID(),
  name,
  shownFrames: new Map(),
  isAccepted: false,
  end: null,
  done: Promise.resolve(),
})

export const RUN_PATHS = {
  chat: 'chat-messages',
  completion: 'completion-messages',
  workflow: 'workflows/run',
} as const

/** The body of a run, which the platform knows by its name. */
export const toRunBody = (name: string, kind: AppKind = 'chat', response_mode = 'streaming') => ({
  inputs: { name },
  user: 'killer',
  response_mode,
  ...(kind === 'chat' ? { query: name } : {}),
})

/** The kinds of runs to request, in turn; half of them over the page's WebSocket, half as event streams. */
const RUN_KINDS: { kind: AppKind; mode?: 'blocking'; over: 'line' | 'stream' }[] = [
  { kind: 'chat', over: 'line' },
  { kind: 'chat', over: 'stream' },
  { kind: 'completion', over: 'line' },
  { kind: 'workflow', over: 'stream' },
  { kind: 'workflow', over: 'line' },
  { kind: 'chat', mode: 'blocking', over: 'stream' },
]

/** One page and some scripts that request runs, and record exactly what they were shown. */
export class BrowserClient {
  readonly #request: SendRaw
  readonly #keys: Record<AppKind, string>
  readonly #liveSocket: WebSocket
  readonly #runs = new Map<string, RequestedRun>()
  readonly #isClosed: Promise<void>

  private constructor(request: SendRaw, keys: Record<AppKind, string>, line: WebSocket) {
    this.#request = request
    this.#keys = keys
    this.#liveSocket = line
    this.#isClosed = new Promise((resolve) => line.once('close', () => resolve()))
    line.on('error', () => undefined)
    line.on('message', (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as LiveMessage))
  }

  static async open(url: string, cookie: string, keys: Record<AppKind, string>): Promise<BrowserClient> {
    const liveSocket = new WebSocket(url.replace('http', 'ws') + LIVE_PATH, { headers: { cookie } })
    await new Promise<void>((resolve, reject) => liveSocket.once('open', resolve).once('error', reject))
    return new BrowserClient(createSender(url, { cookie, 'x-console': '1' }).request, keys, liveSocket)
  }

  close(): void {
    this.#liveSocket.close()
  }

  startRun(name: string, index: number): RequestedRun {
    const requestedRun = createRequestedRun(name)
    requestedRun.done = this.#followRun(requestedRun, index % RUN_KINDS.length).catch(() => undefined)
    return requestedRun
  }

  /** So many runs, named after their number. `kinds` is how many of the ways to ask are gone through; the first three are streams. */
  startRuns(name: string, count: number, kinds: number = RUN_KINDS.length): RequestedRun[] {
    return Array.from({ length: count }, (_, index) => this.startRun(`${name}.${index}`, index % kinds))
  }

  async #followRun(run: RequestedRun, index: number): Promise<void> {
    const { kind, mode, over } = RUN_KINDS[index] ?? { kind: 'chat', over: 'line' }
    const path = `/api/keys/${this.#keys[kind]}/${RUN_PATHS[kind]}`
    const headers = { 'run-id': run.id, ...(over === 'line' ? { prefer: 'respond-async' } : {}) }
    const response = await this.#request('POST', path, toRunBody(run.name, kind, mode), headers)
    run.isAccepted = response.ok
    if (over === 'line') {
      this.#runs.set(run.id, run)
      this.#liveSocket.send(JSON.stringify({ watch: run.id, after: 0 }))
      return this.#isClosed
    }
    if (!response.ok) return
    if (mode === 'blocking') {
      await response.text()
      run.end = 'succeeded'
      return
    }
    await readConsoleStream(readTexts(response), {
      frame: (seq, block) => run.shownFrames.set(seq, block),
      end: (status) => (run.end = status),
    })
  }

  #onMessage(liveMessage: LiveMessage): void {
    if (!('run' in liveMessage)) return
    const requestedRun = this.#runs.get(liveMessage.run)
    if (!requestedRun) return
    if ('frames' in liveMessage) for (const [seq, block] of liveMessage.frames) requestedRun.shownFrames.set(seq, block)
    if ('end' in liveMessage) requestedRun.end = liveMessage.end.status
  }
}

/** The texts of a response of `fetch`, as they come. */
export const readTexts = (response: Response): AsyncIterable<string> =>
  (response.body ?? new ReadableStream<never>()).pipeThrough(new TextDecoderStream())

/** Reads the console's own stream: the platform's blocks, each with its number in a last line, and the run as it has ended. */
export async function readConsoleStream(
  parts: AsyncIterable<string>,
  show: {
    frame: (seq: number, block: string) => void
    end?: (status: Run['status']) => void
    comment?: (text: string) => void
  },
): Promise<void> {
  let text = ''
  for await (const part of parts) {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const numbered = /^([^]*)\nid: (\d+)$/.exec(block)
      if (numbered) show.frame(Number(numbered[2]), numbered[1] ?? '')
      else if (block.startsWith('event: loupe.run\n'))
        show.end?.((JSON.parse(block.slice(block.indexOf('data: ') + 6)) as Run).status)
      else if (block.startsWith(':')) show.comment?.(block)
    }
  }
}
