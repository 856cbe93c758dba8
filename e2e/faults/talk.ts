import type { ServerResponse } from 'node:http'
import { type Ids, message, messageEnd, newIds, openStream, type ScriptedPlatform } from './platform.ts'

const LETTERS = ['a', 'B', '7', 'é', 'ß', '校', '准', 'ع', '👩‍🔬', '🇩🇪', '한', '.', ',', '—']

/** An answer that goes on until it is told to end: pieces of random letters, `gap` milliseconds apart. */
export class Talk {
  readonly ids: Ids
  /** All that was sent so far. */
  text = ''
  readonly #random: () => number
  readonly #gap: number
  #isOver = false
  #begun: () => void = () => undefined
  readonly begun: Promise<void> = new Promise((resolve) => (this.#begun = resolve))

  /** `conversation_id` of the conversation that it goes on, without it a new one. */
  constructor(random: () => number, gap: number, conversation_id?: string) {
    this.ids = { ...newIds(), ...(conversation_id && { conversation_id }) }
    this.#random = random
    this.#gap = gap
  }

  /** After the next piece. */
  end(): void {
    this.#isOver = true
  }

  async tell(response: ServerResponse): Promise<void> {
    openStream(response)
    this.#begun()
    while (!this.#isOver) {
      const piece = this.#piece()
      this.text += piece
      response.write(message(this.ids, piece))
      await new Promise((resolve) => setTimeout(resolve, this.#gap))
    }
    response.end(messageEnd(this.ids))
  }

  /** Words with one blank between them: what a paragraph of markdown shows as it is. */
  #piece(): string {
    const length = 1 + Math.floor(this.#random() * 8)
    const letters = Array.from({ length }, () => LETTERS[Math.floor(this.#random() * LETTERS.length)])
    return `${this.text === '' ? '' : ' '}x${letters.join('')}`
  }
}

/** Answers each question of a platform with a talk of its own, in the order of `talks`. */
export function converse(platform: ScriptedPlatform, talks: Talk[]): void {
  const waiting = [...talks]
  platform.script = (seen, response) => {
    const talk = seen.method === 'POST' && seen.path.endsWith('/chat-messages') ? waiting.shift() : undefined
    return talk ? talk.tell(response) : void response.writeHead(404).end()
  }
}

/** How often a platform was asked a question. */
export const questionsTo = ({ seen }: ScriptedPlatform): number =>
  seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/chat-messages')).length
