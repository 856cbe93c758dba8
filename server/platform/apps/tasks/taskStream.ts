import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Task } from './tasks.ts'

const PING_EVENT = 'event: ping\n\n'
/** Upstream's keep-alive ("4.1" of the upstream facts). */
const PING_INTERVAL_MS = 10_000

/**
 * Sends a task's frames as server-sent events until the task has ended or the client disconnects; the task continues
 * either way. `ping` adds an initial ping, as in workflow streams.
 */
export async function sendStream(reply: FastifyReply, task: Task, { ping }: { ping: boolean }): Promise<void> {
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
  if (ping) raw.write(PING_EVENT)
  const timer = setInterval(() => raw.write(PING_EVENT), PING_INTERVAL_MS)
  try {
    await pumpFrames(raw, task)
  } finally {
    clearInterval(timer)
    raw.end()
  }
}

async function pumpFrames(raw: FastifyReply['raw'], task: Task): Promise<void> {
  const closed = waitForEvent(raw, 'close')
  for (let sent = 0; !raw.destroyed;) {
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
