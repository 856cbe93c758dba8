import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { createEgressPolicy } from '../../vault/egressPolicy.ts'
import { readRedactedText, parseRetryAfter, UpstreamClient } from './upstream.ts'

/** A platform of bare bytes: it writes what a test gives it, and closes where the test says so. */
describe('a platform that breaks the rules of HTTP', () => {
  let server: Server
  let script: { bytes: string; then: 'end' | 'destroy' | 'keep' } = { bytes: '', then: 'end' }
  const sockets = new Set<Socket>()
  const upstream = new UpstreamClient(createEgressPolicy({ loopbackOnly: true, allow: '' }))
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
      socket.on('data', () => {
        socket.write(script.bytes)
        if (script.then === 'end') socket.end()
        if (script.then === 'destroy') socket.resetAndDestroy()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await upstream.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  /** What came of one request: the text, or the kind of the problem. */
  const ask = async (bytes: string, then: typeof script.then): Promise<string> => {
    script = { bytes, then }
    const credential = {
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      secret: 'app-key-of-the-line',
    } as PlatformCredential
    try {
      const outgoing = { method: 'GET', path: '/parameters', accept: 'application/json', timeoutMs: 5_000 } as const
      return `200 ${await readRedactedText(await upstream.send(credential, outgoing, 'r'))}`
    } catch (error) {
      if (error instanceof ProblemError) return error.problem.kind
      throw error
    }
  }
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  const fits = `${head}content-length: 2\r\n\r\n{}`

  it.each([
    ['a body shorter than it says', `${head}content-length: 50\r\n\r\n{"a":1}`, 'end'],
    ['a body shorter than it says, and a reset', `${head}content-length: 50\r\n\r\n{"a":1}`, 'destroy'],
    ['a chunk that breaks off', `${head}transfer-encoding: chunked\r\n\r\n10\r\n{"a":`, 'end'],
    ['chunks without their last', `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`, 'end'],
    ['a chunk whose length is no number', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 'end'],
    ['two lengths', `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 'end'],
    [
      'a length and chunks',
      `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      'end',
    ],
    ['a length below nothing', `${head}content-length: -1\r\n\r\n{}`, 'end'],
    ['a length that is no number', `${head}content-length: two\r\n\r\n{}`, 'end'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'end'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n', 'end'],
    ['a header without a name', `${head}: x\r\ncontent-length: 2\r\n\r\n{}`, 'end'],
    ['a NUL in a header', `${head}x-a: \0\r\ncontent-length: 2\r\n\r\n{}`, 'end'],
    ['headers of a megabyte', `${head}x-a: ${'x'.repeat(1024 * 1024)}\r\n\r\n{}`, 'end'],
    ['nothing', '', 'end'],
    ['a reset', '', 'destroy'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-ty', 'end'],
  ] as const)('%s is a broken line, and the next request is clean', async (_, bytes, then) => {
    expect(await ask(bytes, then)).toBe('cut')
    expect(await ask(fits, 'end')).toBe('200 {}')
  })

  it('a body longer than it says ends where it says, and what follows is no reply of the next request', async () => {
    expect(await ask(`${fits}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison`, 'keep')).toBe('200 {}')
    expect(await ask(fits, 'end')).toBe('200 {}')
  })

  it('words before the answer are passed over', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'
    expect(await ask(`HTTP/1.1 102 Processing\r\n\r\n${early.repeat(100)}${fits}`, 'end')).toBe('200 {}')
  })
})

it('Retry-After is a number of seconds or a date to come; all else says nothing', () => {
  const now = Date.parse('Sat, 21 Nov 2026 20:00:00 GMT')
  for (const skew of [-3_600_000, 0, 3_600_000]) {
    const date = (seconds: number) => new Date(now + skew + seconds * 1000).toUTCString()
    for (const [given, seconds] of [
      ['1', 1],
      ['60', 60],
      [' 7 ', 7],
      ['999999999', 999_999_999],
      [date(30), 30 + skew / 1000],
      [date(-30), undefined],
      ['0', undefined],
      ['-5', undefined],
      ['+5', undefined],
      ['1.5', undefined],
      ['1e3', undefined],
      ['0x10', undefined],
      ['10000000000', undefined],
      ['soon', undefined],
      ['', undefined],
      [undefined, undefined],
    ] as const) {
      const expected = seconds === undefined || seconds <= 0 ? undefined : seconds
      if (given === date(-30) && skew > 30_000) continue
      expect([given, parseRetryAfter(given, now)]).toEqual([given, expected])
    }
  }
})
