import multipartPlugin from '@fastify/multipart'
import fastify from 'fastify'
import fc from 'fast-check'
import { PlatformError } from '../../server/platform/platformErrors.ts'
import { readMultipart } from '../../server/platform/multipartBody.ts'
import { createTarget, fromSamples, requireThat, type FuzzTarget } from './target.ts'

const BOUNDARY = 'edge'
const pieceArbitrary = fc.oneof(
  fromSamples(
    `--${BOUNDARY}\r\n¦--${BOUNDARY}--\r\n¦--${BOUNDARY}¦\r\n¦\r\n\r\n¦\n\n¦--¦--other\r\n¦{"a":1}¦{"__proto__":{"polluted":1}}`,
    ...[
      '; name="file"; filename="a.txt"',
      '; name="data"',
      '; name="__proto__"',
      `; name="file"; filename*=UTF-8''%zz`,
      '; name="constructor"; filename="../../x"',
      '',
    ].map((fields) => `Content-Disposition: form-data${fields}\r\n`),
    'Content-Type: text/plain\r\n¦Content-Transfer-Encoding: base64\r\n',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
/** Most bodies begin as one should, so that what comes after is looked at too. */
const bodyArbitrary = fc.tuple(fc.boolean(), fc.array(pieceArbitrary, { maxLength: 24 })).map(([isWhole, parts]) => {
  const text = parts.join('')
  return isWhole ? `--${BOUNDARY}\r\n${text}\r\n--${BOUNDARY}--\r\n` : text
})
const contentTypeArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
  {
    weight: 1,
    arbitrary: fromSamples('multipart/form-data¦multipart/form-data; boundary=¦multipart/form-data; boundary="'),
  },
)

/** Any body is read or refused with words of our own, and leaves nothing behind. */
export async function createMultipartTarget(): Promise<FuzzTarget> {
  const app = fastify({ bodyLimit: 1024 * 1024 })
  await app.register(multipartPlugin)
  app.post('/', async (request) => {
    await readMultipart(request, { json: true, fileLimit: 4096 })
    return { ok: true }
  })
  app.setErrorHandler((error, _request, reply) => {
    const status =
      error instanceof PlatformError ? error.status : ((error as { statusCode?: number }).statusCode ?? 500)
    return reply.code(status).send({ said: String(error) })
  })
  await app.ready()
  return createTarget(
    fc.tuple(bodyArbitrary, contentTypeArbitrary),
    async ([payload, contentType]: [string, string]) => {
      const reply = await app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': contentType } })
      requireThat(reply.statusCode < 500, `It is answered with ${reply.statusCode}: ${reply.body}`)
      requireThat(!('polluted' in {}), 'A body has changed every object.')
    },
    () => app.close(),
  )
}
