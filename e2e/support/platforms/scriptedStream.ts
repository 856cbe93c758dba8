import type { ServerResponse } from 'node:http'
import {
  type AnswerIds,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  type ScriptedPlatform,
} from './scriptedPlatform.ts'

const CHARACTERS = ['a', 'B', '7', 'é', 'ß', '校', '准', 'ع', '👩‍🔬', '🇩🇪', '한', '.', ',', '—']

/** An answer that goes on until it is told to end: pieces of random letters, `gap` milliseconds apart. */
export class ScriptedStream {
  readonly ids: AnswerIds
  /** All that was sent so far. */
  text = ''
  readonly #random: () => number
  readonly #gapMs: number
  #isEnded = false
  #started: () => void = () => undefined
  readonly started: Promise<void> = new Promise((resolve) => (this.#started = resolve))

  /** `conversation_id` of the conversation that it goes on, without it a new one. */
  constructor(random: () => number, gap: number, conversation_id?: string) {
    this.ids = { ...createAnswerIds(), ...(conversation_id && { conversation_id }) }
    this.#random = random
    this.#gapMs = gap
  }

  /** After the next piece. */
  end(): void {
    this.#isEnded = true
  }

  async send(response: ServerResponse): Promise<void> {
    openStream(response)
    this.#started()
    while (!this.#isEnded) {
      const piece = this.#nextPiece()
      this.text += piece
      response.write(toMessageBlock(this.ids, piece))
      await new Promise((resolve) => setTimeout(resolve, this.#gapMs))
    }
    response.end(toMessageEndBlock(this.ids))
  }

  /** Words with one blank between them: what a paragraph of markdown shows as it is. */
  #nextPiece(): string {
    const length = 1 + Math.floor(this.#random() * 8)
    const characters = Array.from({ length }, () => CHARACTERS[Math.floor(this.#random() * CHARACTERS.length)])
    return `${this.text === '' ? '' : ' '}x${characters.join('')}`
  }
}

/** Answers each question of a platform with a talk of its own, in the order of `talks`. */
export function answerWithStreams(platform: ScriptedPlatform, streams: ScriptedStream[]): void {
  const waiting = [...streams]
  platform.script = (seen, response) => {
    const scriptedStream = seen.method === 'POST' && seen.path.endsWith('/chat-messages') ? waiting.shift() : undefined
    return scriptedStream ? scriptedStream.send(response) : void response.writeHead(404).end()
  }
}

/** Number of times that a platform received a question. */
export const countQuestions = ({ requests }: ScriptedPlatform): number =>
  requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/chat-messages')).length
