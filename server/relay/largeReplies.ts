import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ProblemError } from '#contract/problem.ts'

/** Replies over this size pass in pieces, a few at a time: each uses memory and time of the server. */
export const LARGE_REPLY_BYTES = 1024 * 1024
export const LARGE_REPLY_LIMITS = {
  /** Per server; each person has one. */
  maxOpen: 4,
  maxWaiting: 100,
  maxWaitMs: 60_000,
  /** A reader that takes no byte for this long is disconnected. */
  maxStallMs: 30_000,
}
const RETRY_AFTER_S = 60

interface WaitingReply {
  person_id: string
  start: () => void
}

export class LargeReplyQueue {
  readonly #openPersons = new Set<string>()
  readonly #waiting: WaitingReply[] = []

  /** Waits for a slot, which the reply has until its connection closes. @throws ProblemError 503 with `retry_after` */
  async enter(reply: FastifyReply): Promise<void> {
    const person_id = reply.request.person?.id ?? ''
    if (!this.#open(person_id)) await this.#wait(person_id)
    const leave = () => {
      this.#openPersons.delete(person_id)
      const next = this.#waiting.findIndex((waiting) => this.#open(waiting.person_id))
      if (next >= 0) this.#waiting.splice(next, 1)[0]?.start()
    }
    if (reply.raw.destroyed) leave()
    else reply.raw.once('close', leave)
  }

  #open(person_id: string): boolean {
    if (this.#openPersons.size >= LARGE_REPLY_LIMITS.maxOpen || this.#openPersons.has(person_id)) return false
    this.#openPersons.add(person_id)
    return true
  }

  #wait(person_id: string): Promise<void> {
    if (this.#waiting.length >= LARGE_REPLY_LIMITS.maxWaiting) throw toBusyError()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { person_id, start: resolve }
    this.#waiting.push(waiting)
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      reject(toBusyError())
    }, LARGE_REPLY_LIMITS.maxWaitMs)
    return promise.finally(() => clearTimeout(timer))
  }
}

const toBusyError = (): ProblemError =>
  new ProblemError({
    kind: 'denied',
    status: 503,
    message: `The server sends at most ${LARGE_REPLY_LIMITS.maxOpen} replies over 1 MiB at once, and one per person. Retry when they have finished.`,
    retry_after: RETRY_AFTER_S,
  })

export const sendPieces = (reply: FastifyReply, pieces: AsyncIterable<Buffer> | Iterable<Buffer>): FastifyReply =>
  reply.send(Readable.from(disconnectStalled(reply, pieces), { objectMode: false }))

async function* disconnectStalled({ raw }: FastifyReply, pieces: AsyncIterable<Buffer> | Iterable<Buffer>) {
  let timer: NodeJS.Timeout | undefined
  const startTimer = () => (timer = setTimeout(() => raw.destroy(), LARGE_REPLY_LIMITS.maxStallMs).unref())
  raw.once('close', () => clearTimeout(timer))
  for await (const piece of pieces) {
    startTimer()
    yield piece
    clearTimeout(timer)
  }
  startTimer()
}

/** Sends bytes; over 1 MiB only as fast as the reader takes them. */
export const sendBytes = (reply: FastifyReply, bytes: Buffer): FastifyReply =>
  bytes.length <= LARGE_REPLY_BYTES
    ? reply.send(bytes)
    : sendPieces(reply.header('content-length', bytes.length), slices(bytes))

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += LARGE_REPLY_BYTES / 16)
    yield bytes.subarray(at, at + LARGE_REPLY_BYTES / 16)
}
