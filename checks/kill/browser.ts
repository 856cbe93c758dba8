import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/live.ts'
import type { Run } from '#contract/runs.ts'

/** A run that was asked for, and what was shown of it. */
export interface Asked {
  id: string
  name: string
  /** Blocks by their numbers. */
  shown: Map<number, string>
  /** Whether the server has said that it has the run. */
  accepted: boolean
  /** As what it ended, where that was shown. */
  end: Run['status'] | null
  /** Resolves when nothing more is shown: the run has ended, or the line has broken. */
  over: Promise<void>
}

/** What runs are asked for, one after another; half of them over the page's line, half as event streams. */
const ROUND = [
  { kind: 'chat', path: 'chat-messages', mode: 'streaming', over: 'line' },
  { kind: 'chat', path: 'chat-messages', mode: 'streaming', over: 'stream' },
  { kind: 'completion', path: 'completion-messages', mode: 'streaming', over: 'line' },
  { kind: 'workflow', path: 'workflows/run', mode: 'streaming', over: 'stream' },
  { kind: 'workflow', path: 'workflows/run', mode: 'streaming', over: 'line' },
  { kind: 'chat', path: 'chat-messages', mode: 'blocking', over: 'stream' },
] as const
type Kind = (typeof ROUND)[number]['kind']

/** One page and some scripts that ask for runs, and remember to the letter what they were shown. */
export class Browser {
  readonly #url: string
  readonly #cookie: string
  readonly #keys: Record<Kind, string>
  readonly #line: WebSocket
  readonly #watched = new Map<string, Asked>()
  readonly #closed: Promise<void>

  private constructor(url: string, cookie: string, keys: Record<Kind, string>, line: WebSocket) {
    this.#url = url
    this.#cookie = cookie
    this.#keys = keys
    this.#line = line
    this.#closed = new Promise((resolve) => line.once('close', () => resolve()))
    line.on('error', () => undefined)
    line.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as LiveMessage))
  }

  static async open(url: string, cookie: string, keys: Record<Kind, string>): Promise<Browser> {
    const line = new WebSocket(url.replace('http', 'ws') + LIVE_PATH, { headers: { cookie } })
    await new Promise<void>((resolve, reject) => line.once('open', resolve).once('error', reject))
    return new Browser(url, cookie, keys, line)
  }

  close(): void {
    this.#line.close()
  }

  ask(name: string, index: number): Asked {
    const round = ROUND[index % ROUND.length] ?? ROUND[0]
    const asked: Asked = {
      id: randomUUID(),
      name,
      shown: new Map(),
      accepted: false,
      end: null,
      over: Promise.resolve(),
    }
    asked.over = this.#carry(asked, round).catch(() => undefined)
    return asked
  }

  /** So many runs, named after their number. `kinds` is how many of the ways to ask are gone through; the first three are streams. */
  askMany(name: string, count: number, kinds: number = ROUND.length): Asked[] {
    return Array.from({ length: count }, (_, index) => this.ask(`${name}.${index}`, index % kinds))
  }

  async #carry(asked: Asked, { kind, path, mode, over }: (typeof ROUND)[number]): Promise<void> {
    const response = await fetch(`${this.#url}/api/keys/${this.#keys[kind]}/${path}`, {
      method: 'POST',
      headers: {
        cookie: this.#cookie,
        'x-console': '1',
        'content-type': 'application/json',
        'run-id': asked.id,
        ...(over === 'line' ? { prefer: 'respond-async' } : {}),
      },
      body: JSON.stringify({
        inputs: { name: asked.name },
        user: 'killer',
        response_mode: mode,
        ...(kind === 'chat' ? { query: asked.name } : {}),
      }),
    })
    asked.accepted = response.ok
    if (over === 'line') {
      this.#watched.set(asked.id, asked)
      this.#line.send(JSON.stringify({ watch: asked.id, after: 0 }))
      return this.#closed
    }
    if (mode === 'blocking') {
      await response.text()
      if (response.ok) asked.end = 'succeeded'
      return
    }
    await readShown(response, {
      frame: (seq, block) => asked.shown.set(seq, block),
      end: (status) => (asked.end = status),
    })
  }

  #take(told: LiveMessage): void {
    if (!('run' in told)) return
    const asked = this.#watched.get(told.run)
    if (!asked) return
    if ('frames' in told) for (const [seq, block] of told.frames) asked.shown.set(seq, block)
    if ('end' in told) asked.end = told.end.status
  }
}

/** Reads the console's own stream: the platform's blocks, each with its number in a last line, and the run as it has ended. */
export async function readShown(
  response: Response,
  show: { frame: (seq: number, block: string) => void; end: (status: Run['status']) => void },
): Promise<void> {
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const numbered = /^([^]*)\nid: (\d+)$/.exec(block)
      if (numbered) show.frame(Number(numbered[2]), numbered[1] ?? '')
      else if (block.startsWith('event: loupe.run\n'))
        show.end((JSON.parse(block.slice(block.indexOf('data: ') + 6)) as Run).status)
    }
  }
}
