import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import type { Run } from '#contract/console/runs.ts'

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

/** The kinds of runs to request, in turn; half of them over the page's WebSocket, half as event streams. */
const RUN_KINDS = [
  { kind: 'chat', path: 'chat-messages', mode: 'streaming', over: 'line' },
  { kind: 'chat', path: 'chat-messages', mode: 'streaming', over: 'stream' },
  { kind: 'completion', path: 'completion-messages', mode: 'streaming', over: 'line' },
  { kind: 'workflow', path: 'workflows/run', mode: 'streaming', over: 'stream' },
  { kind: 'workflow', path: 'workflows/run', mode: 'streaming', over: 'line' },
  { kind: 'chat', path: 'chat-messages', mode: 'blocking', over: 'stream' },
] as const
type RunKind = (typeof RUN_KINDS)[number]['kind']

/** One page and some scripts that request runs, and record exactly what they were shown. */
export class BrowserClient {
  readonly #url: string
  readonly #cookie: string
  readonly #keys: Record<RunKind, string>
  readonly #liveSocket: WebSocket
  readonly #runs = new Map<string, RequestedRun>()
  readonly #isClosed: Promise<void>

  private constructor(url: string, cookie: string, keys: Record<RunKind, string>, line: WebSocket) {
    this.#url = url
    this.#cookie = cookie
    this.#keys = keys
    this.#liveSocket = line
    this.#isClosed = new Promise((resolve) => line.once('close', () => resolve()))
    line.on('error', () => undefined)
    line.on('message', (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as LiveMessage))
  }

  static async open(url: string, cookie: string, keys: Record<RunKind, string>): Promise<BrowserClient> {
    const liveSocket = new WebSocket(url.replace('http', 'ws') + LIVE_PATH, { headers: { cookie } })
    await new Promise<void>((resolve, reject) => liveSocket.once('open', resolve).once('error', reject))
    return new BrowserClient(url, cookie, keys, liveSocket)
  }

  close(): void {
    this.#liveSocket.close()
  }

  startRun(name: string, index: number): RequestedRun {
    const round = RUN_KINDS[index % RUN_KINDS.length] ?? RUN_KINDS[0]
    const requestedRun: RequestedRun = {
      id: randomUUID(),
      name,
      shownFrames: new Map(),
      isAccepted: false,
      end: null,
      done: Promise.resolve(),
    }
    requestedRun.done = this.#followRun(requestedRun, round).catch(() => undefined)
    return requestedRun
  }

  /** So many runs, named after their number. `kinds` is how many of the ways to ask are gone through; the first three are streams. */
  startRuns(name: string, count: number, kinds: number = RUN_KINDS.length): RequestedRun[] {
    return Array.from({ length: count }, (_, index) => this.startRun(`${name}.${index}`, index % kinds))
  }

  async #followRun(requestedRun: RequestedRun, { kind, path, mode, over }: (typeof RUN_KINDS)[number]): Promise<void> {
    const response = await fetch(`${this.#url}/api/keys/${this.#keys[kind]}/${path}`, {
      method: 'POST',
      headers: {
        cookie: this.#cookie,
        'x-console': '1',
        'content-type': 'application/json',
        'run-id': requestedRun.id,
        ...(over === 'line' ? { prefer: 'respond-async' } : {}),
      },
      body: JSON.stringify({
        inputs: { name: requestedRun.name },
        user: 'killer',
        response_mode: mode,
        ...(kind === 'chat' ? { query: requestedRun.name } : {}),
      }),
    })
    requestedRun.isAccepted = response.ok
    if (over === 'line') {
      this.#runs.set(requestedRun.id, requestedRun)
      this.#liveSocket.send(JSON.stringify({ watch: requestedRun.id, after: 0 }))
      return this.#isClosed
    }
    if (mode === 'blocking') {
      await response.text()
      if (response.ok) requestedRun.end = 'succeeded'
      return
    }
    await readConsoleStream(readTexts(response), {
      frame: (seq, block) => requestedRun.shownFrames.set(seq, block),
      end: (status) => (requestedRun.end = status),
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
    end: (status: Run['status']) => void
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
        show.end((JSON.parse(block.slice(block.indexOf('data: ') + 6)) as Run).status)
      else if (block.startsWith(':')) show.comment?.(block)
    }
  }
}
