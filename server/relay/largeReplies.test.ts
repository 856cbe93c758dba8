import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import type { FastifyReply } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { filePreviewPath } from '#contract/console/files/filePreview.ts'
import { TestConsole } from '../app.testing.ts'
import { LARGE_REPLY_BYTES, LARGE_REPLY_LIMITS, LargeReplyQueue } from './largeReplies.ts'

const LIMITS = { ...LARGE_REPLY_LIMITS }
afterEach(() => void Object.assign(LARGE_REPLY_LIMITS, LIMITS))

describe('the queue of large replies', () => {
  const openReply = (person_id: string) =>
    ({ request: { person: { id: person_id } }, raw: new EventEmitter() }) as unknown as FastifyReply

  it('admits four at once and one of a person, in order', async () => {
    const queue = new LargeReplyQueue()
    const admitted: string[] = []
    const replies = ['a', 'a', 'b', 'c', 'd', 'e', 'f'].map((person, at) => {
      const reply = openReply(person)
      void queue.enter(reply).then(() => admitted.push(`${person}${at}`))
      return reply
    })
    await expect.poll(() => admitted).toEqual(['a0', 'b2', 'c3', 'd4'])
    replies[2]?.raw.emit('close')
    await expect.poll(() => admitted.slice(4)).toEqual(['e5'])
    replies[0]?.raw.emit('close')
    await expect.poll(() => admitted.slice(5)).toEqual(['a1'])
    replies[3]?.raw.emit('close')
    await expect.poll(() => admitted.slice(6)).toEqual(['f6'])
  })

  it('refuses whoever waited for too long, or finds too many waiting, with a time to retry after', async () => {
    Object.assign(LARGE_REPLY_LIMITS, { maxWaitMs: 20, maxWaiting: 1 })
    const queue = new LargeReplyQueue()
    await queue.enter(openReply('a'))
    const refusals = await Promise.allSettled([queue.enter(openReply('a')), queue.enter(openReply('a'))])
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 'rejected', reason: { problem: { status: 503, retry_after: 60 } } })
    await queue.enter(openReply('b'))
  })
})

describe('a reply over 1 MiB', () => {
  const testConsole = TestConsole.forFile()
  const answer = (type: string, body: string | Buffer) => {
    testConsole.platform.script = (_seen, response) => void response.setHeader('content-type', type).end(body)
  }
  const getFilePath = () =>
    filePreviewPath({
      key: testConsole.keys.chat,
      file_id: randomUUID(),
      user: 'mira',
      conversation: null,
      download: 'a.bin',
    })
  /** A reader that takes nothing until it is resumed. */
  const openReader = async (): Promise<IncomingMessage> => {
    const headers = { cookie: testConsole.cookie }
    const request = sendRequest(new URL(getFilePath(), testConsole.url), { headers }).end()
    return ((await once(request, 'response')) as [IncomingMessage])[0]
  }
  const file = Buffer.alloc(48 * LARGE_REPLY_BYTES, 'file ')

  it('waits for the one before it, and comes complete', async () => {
    answer('application/octet-stream', file)
    LARGE_REPLY_LIMITS.maxWaitMs = 100
    const reader = await openReader()
    const refused = await testConsole.fetch('GET', getFilePath())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    LARGE_REPLY_LIMITS.maxWaitMs = LIMITS.maxWaitMs
    const second = testConsole.fetch('GET', getFilePath())
    const bytes = Buffer.concat((await reader.toArray()) as Buffer[])
    expect(bytes.equals(file)).toBe(true)
    expect(Buffer.from(await (await second).arrayBuffer()).equals(file)).toBe(true)
  })

  it('is cut where the reader takes nothing, and its place is free', async () => {
    answer('application/octet-stream', file)
    LARGE_REPLY_LIMITS.maxStallMs = 100
    const reader = await openReader()
    expect((await testConsole.fetch('GET', getFilePath())).status).toBe(200)
    await expect(reader.toArray()).rejects.toThrow('aborted')
  })

  it('is cut where a file holds the key, also between two pieces', async () => {
    const secret = `${testConsole.secretKey}-chat`
    const start = Buffer.alloc(2 * LARGE_REPLY_BYTES, 'file ')
    testConsole.platform.script = (_seen, response) => {
      response.write(Buffer.concat([start, Buffer.from(secret.slice(0, 8))]))
      setTimeout(() => response.end(`${secret.slice(8)} and more`), 50)
    }
    const received = Buffer.concat(await openReader().then(readToCut))
    expect(received.length).toBeGreaterThan(LARGE_REPLY_BYTES)
    expect(received.includes('and more') || received.includes(secret.slice(0, 16))).toBe(false)
  })

  it('of JSON has the key removed on each side of a piece, and stays JSON', async () => {
    const secret = `${testConsole.secretKey}-chat`
    const filler = 'f'.repeat(LARGE_REPLY_BYTES - 40)
    for (let shift = 0; shift < 60; shift += 4) {
      answer(
        'application/json',
        JSON.stringify({ opening_statement: `${filler}${' '.repeat(shift)}`, text: [secret, 'é'] }),
      )
      const reply = await testConsole.fetch('GET', `/api/keys/${testConsole.keys.chat}/parameters`)
      expect((await reply.json()) as unknown).toMatchObject({ text: ['[REDACTED:key]', 'é'] })
    }
  })
})

async function readToCut(reader: IncomingMessage): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of reader) pieces.push(piece as Buffer)
  } catch {
    return pieces
  }
  throw new Error('the reply was not cut')
}
