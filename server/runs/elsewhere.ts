import { isLive, type Run } from '#contract/runs.ts'
import type { Post } from '../database/post.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { NewFrame } from './frames.ts'
import { runOf } from './row.ts'

type Shown = Pick<NewFrame, 'seq' | 'bytes' | 'block'>

/** What the table has of a run after a frame. */
export interface News {
  frames: Shown[]
  /** Whether these were all there were. */
  isWhole: boolean
  /** The run as its row has it, once it has ended and there are no more frames. */
  end: Run | null
}

/** One who follows a run in the table. */
export interface Following {
  /**
   * What came after a frame. At first it answers at once, with nothing if need be; once everything was read it waits until
   * there is more. Null when there is no such run, or after `leave`. @throws when the table cannot be read.
   */
  after: (seq: number) => Promise<News | null>
  leave: () => void
}

interface Question {
  seq: number
  /** Whether it is answered though there is nothing new. */
  isFirst: boolean
  /** `heard`: the words that had been heard of the run before it was read. */
  answer: (news: News | null, heard: number) => void
  fail: (error: unknown) => void
}

interface Followed {
  /** Words that were heard of the run. */
  heard: number
  followers: number
  waiting: Set<Question>
}

/** Milliseconds between two looks at all that is followed: where words arrive, and where they do not. */
const LOOK = { told: 2_000, untold: 250 }
/** Before anything was heard. */
const NOTHING = -1
/** Questions that are read together, and of each run so many frames, of all so many bytes. */
const GROUP = 64
const FRAMES = 1_000
const BYTES = 2 * 1024 * 1024

/**
 * Reads runs that this server does not carry from the table, as their server writes them. Its word wakes, a slow look makes
 * up for words that were lost. What is asked while one group is read is the next group, so that a thousand streams are two
 * queries and not two thousand.
 */
export class Elsewhere {
  readonly #ledger: Pick<Ledger, 'after' | 'brief'>
  readonly #post: Post
  readonly #followed = new Map<string, Followed>()
  #asked: { id: string; question: Question }[] = []
  #isReading = false
  #timer: NodeJS.Timeout | undefined

  constructor(ledger: Pick<Ledger, 'after' | 'brief'>, post: Post) {
    this.#ledger = ledger
    this.#post = post
    post.hear('news', (ids) => this.#hear(ids.length > 0 ? ids : [...this.#followed.keys()]))
  }

  /** Runs that are followed here. */
  get size(): number {
    return this.#followed.size
  }

  follow(id: string): Following {
    const followed = this.#followed.get(id) ?? { heard: 0, followers: 0, waiting: new Set() }
    this.#followed.set(id, followed)
    followed.followers++
    if (followed.followers === 1) this.#post.say('watched', [id])
    this.#timer ??= setTimeout(this.#look, this.#pause()).unref()
    let heard = NOTHING
    let isLeft = false
    let question: Question | null = null
    return {
      after: (seq) =>
        new Promise((resolve, fail) => {
          if (isLeft) return resolve(null)
          const answer: Question['answer'] = (news, upTo) => {
            heard = news?.isWhole ? upTo : NOTHING
            resolve(isLeft ? null : news)
          }
          question = { seq, isFirst: heard === NOTHING, answer, fail }
          followed.waiting.add(question)
          if (heard < followed.heard) this.#ask(id, followed)
        }),
      leave: () => {
        if (isLeft) return
        isLeft = true
        if (question && followed.waiting.delete(question)) question.answer(null, 0)
        if (--followed.followers === 0) this.#followed.delete(id)
        if (this.#followed.size > 0) return
        clearTimeout(this.#timer)
        this.#timer = undefined
      },
    }
  }

  #pause = (): number => (this.#post.isOpen ? LOOK.told : LOOK.untold)

  #look = (): void => {
    this.#post.say('watched', [...this.#followed.keys()])
    this.#hear([...this.#followed.keys()])
    this.#timer = setTimeout(this.#look, this.#pause()).unref()
  }

  #hear(ids: readonly string[]): void {
    for (const id of ids) {
      const followed = this.#followed.get(id)
      if (!followed) continue
      followed.heard++
      this.#ask(id, followed)
    }
  }

  /** Has all that waits for news of a run read with the next group. */
  #ask(id: string, { waiting }: Followed): void {
    for (const question of waiting) this.#asked.push({ id, question })
    waiting.clear()
    if (!this.#isReading && this.#asked.length > 0) void this.#drain()
  }

  async #drain(): Promise<void> {
    this.#isReading = true
    // What is asked in the same turn of the event loop is read together.
    await Promise.resolve()
    while (this.#asked.length > 0) {
      const group = this.#asked.splice(0, GROUP)
      await this.#read(group).catch((error: unknown) => {
        for (const { question } of group) question.fail(error)
      })
    }
    this.#isReading = false
  }

  async #read(group: readonly { id: string; question: Question }[]): Promise<void> {
    const heard = group.map(({ id }) => this.#followed.get(id)?.heard ?? 0)
    // Several may follow one run: the table is asked once for each, from where the last of them stands.
    const from = new Map<string, number>()
    for (const { id, question } of group) from.set(id, Math.min(from.get(id) ?? Infinity, question.seq))
    const { states, frames } = await this.#ledger.after(
      [...from].map(([id, seq]) => ({ id, seq })),
      FRAMES,
      BYTES,
    )
    const isCut = frames.reduce((sum, { bytes }) => sum + bytes, 0) >= BYTES
    const pages = Map.groupBy(frames, ({ id }) => id)
    for (const [index, { id, question }] of group.entries()) {
      const upTo = heard[index] ?? 0
      const page = pages.get(id) ?? []
      const fresh = page.filter(({ seq }) => seq > question.seq)
      const isWhole = !isCut && page.length < FRAMES
      const status = states.get(id)
      const isOver = status !== undefined && !isLive(status) && isWhole && fresh.length === 0
      const row = isOver ? await this.#ledger.brief(id) : null
      if (status === undefined || (isOver && !row)) question.answer(null, upTo)
      else if (fresh.length > 0 || row || question.isFirst || !isWhole)
        question.answer({ frames: fresh, isWhole, end: row && runOf(row) }, upTo)
      else this.#wait(id, question, upTo)
    }
  }

  /** Nothing came of that word: the next one is waited for. */
  #wait(id: string, question: Question, upTo: number): void {
    const followed = this.#followed.get(id)
    if (!followed) return question.answer(null, upTo)
    followed.waiting.add(question)
    if (followed.heard > upTo) this.#ask(id, followed)
  }
}
