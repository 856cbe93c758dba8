import type { Pool } from 'pg'

/** A frame on its way into the table. `at` is milliseconds since the request went out. */
export interface NewFrame {
  seq: number
  at: number
  bytes: number
  block: string
}
interface Waiting {
  call_id: string
  frames: NewFrame[]
  done: (error: Error | null) => void
}

const GROUP_LIMIT = 1000

/**
 * Group commit: while one group is being written the next one gathers. There is no timer, so an idle server commits at
 * once and a busy one in large groups. What `write` has answered is in the table.
 */
export class FrameWriter {
  readonly #pool: Pool
  #waiting: Waiting[] = []
  #writing = false

  constructor(pool: Pool) {
    this.#pool = pool
  }

  write(call_id: string, frames: NewFrame[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call_id, frames, done: (error) => (error ? reject(error) : resolve()) })
      if (!this.#writing) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      const group = this.#next()
      const error = await this.#insert(group).catch((reason: Error) => reason)
      for (const { done } of group) done(error ?? null)
    }
    this.#writing = false
  }

  #next(): Waiting[] {
    let size = 0
    let count = 0
    while (count < this.#waiting.length && size < GROUP_LIMIT) size += this.#waiting[count++]?.frames.length ?? 0
    const group = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return group
  }

  async #insert(group: Waiting[]): Promise<undefined> {
    const rows = group.flatMap(({ call_id, frames }) => frames.map((frame) => ({ call_id, ...frame })))
    await this.#pool.query({
      name: 'frames',
      text: `INSERT INTO frames(call_id, seq, at, bytes, block)
             SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::text[])`,
      values: [
        rows.map((row) => row.call_id),
        rows.map((row) => row.seq),
        rows.map((row) => row.at),
        rows.map((row) => row.bytes),
        // A raw NUL is the one character that a text column cannot hold.
        rows.map((row) => (row.block.includes('\0') ? row.block.replaceAll('\0', '\uFFFD') : row.block)),
      ],
    })
    return undefined
  }
}
