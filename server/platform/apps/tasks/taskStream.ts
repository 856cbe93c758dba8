import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Task } from './tasks.ts'

const PING_EVENT = 'event: ping\n\n'
/** Upstream's keep-alive. */
const PING_INTERVAL_MS = 10_000

/** An open stream of server-sent events. It pings until `end`. */
export interface EventStream {
  raw: FastifyReply['raw']
  /** Resolves when the client has disconnected or the stream has ended. */
  closed: Promise<void>
  end: () => void
}

/** Sends the head of an event stream. `ping` adds an initial ping, as in workflow streams. */
export function openEventStream(reply: FastifyReply, { ping }: { ping: boolean }): EventStream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  // A disconnecting client is not an error.
  raw.on('error', () => {})
  const closed = waitForEvent(raw, 'close')
  if (ping) raw.write(PING_EVENT)
  const timer = setInterval(() => raw.write(PING_EVENT), PING_INTERVAL_MS)
  return {
    raw,
    closed,
    end: () => {
      clearInterval(timer)
      raw.end()
    },
  }
}

/**
 * Sends a task's frames as server-sent events until the task has ended or the client disconnects; the task continues
 * either way.
 */
export async function sendStream(reply: FastifyReply, task: Task, { ping }: { ping: boolean }): Promise<void> {
  const stream = openEventStream(reply, { ping })
  try {
    await pumpFrames(stream, task)
  } finally {
    stream.end()
  }
}

/** Sends the frames of a task, the first at index `from`, until the task has ended or the client disconnects. */
export async function pumpFrames({ raw, closed }: EventStream, task: Task, from = 0): Promise<void> {
  for (let sent = from; !raw.destroyed;) {
    const next = task.next()
    if (sent < task.frames.length) {
      const block = task.frames.slice(sent).join('')
      sent = task.frames.length
      // Backpressure: waits for a slow client while frames queue in the task.
      if (!raw.write(block)) await Promise.race([waitForEvent(raw, 'drain'), closed])
    } else if (task.ended) return
    else await Promise.race([next, closed])
  }
}

const waitForEvent = (raw: FastifyReply['raw'], name: 'close' | 'drain'): Promise<void> =>
  new Promise((resolve) => raw.once(name, () => resolve()))
