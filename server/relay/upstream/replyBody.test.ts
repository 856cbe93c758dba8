import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { KeyRedactor } from '../../vault/keyExposures.ts'
import { type UpstreamResponse, readProbeBody, readRedactedText } from './upstream.ts'

const toResponse = (contentType: string, body: Iterable<string> | AsyncIterable<string>) =>
  ({
    status: 200,
    contentType,
    body: Readable.from(body, { objectMode: false }),
    redactor: new KeyRedactor('a-secret-key'),
  }) as unknown as UpstreamResponse

async function* endlessBody() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    yield '"more", '
  }
}

it('a reply that never becomes whole is given up', async () => {
  await expect(readRedactedText(toResponse('application/json', endlessBody()), 50)).rejects.toMatchObject({
    problem: {
      kind: 'late',
      message: 'The platform did not finish its reply within 0.05 s.',
      upstream: { status: 200 },
    },
  })
})

it('a stream is no answer to a question that has a short one, and is left at once', async () => {
  const stream = toResponse('text/event-stream; charset=utf-8', endlessBody())
  expect(await readProbeBody(stream)).toBeUndefined()
  expect(stream.body.destroyed).toBe(true)
  expect(await readProbeBody(toResponse('application/json', ['{"a":', '1}']))).toEqual({ a: 1 })
})
