import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { Redactor } from './redact.ts'
import { type Answer, readProbe, readText } from './upstream.ts'

const answer = (contentType: string, body: Iterable<string> | AsyncIterable<string>) =>
  ({
    status: 200,
    contentType,
    body: Readable.from(body, { objectMode: false }),
    redactor: new Redactor('a-secret-key'),
  }) as unknown as Answer

async function* endless() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    yield '"more", '
  }
}

it('a reply that never becomes whole is given up', async () => {
  await expect(readText(answer('application/json', endless()), 50)).rejects.toMatchObject({
    problem: { kind: 'late', message: 'The platform’s reply was not whole after 0.05 s.', upstream: { status: 200 } },
  })
})

it('a stream is no answer to a question that has a short one, and is left at once', async () => {
  const stream = answer('text/event-stream; charset=utf-8', endless())
  expect(await readProbe(stream)).toBeUndefined()
  expect(stream.body.destroyed).toBe(true)
  expect(await readProbe(answer('application/json', ['{"a":', '1}']))).toEqual({ a: 1 })
})
