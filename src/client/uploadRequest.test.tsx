import { http, HttpResponse } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { call } from './http.ts'
import { serveApi } from './consoleApi.testing.ts'

const KEY_ID = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const params = {
  dataset_id: '96f9465c-523c-4a73-aee3-31c317abd40d',
  document_id: '80b2f014-4c68-47c0-a2d4-8c0e189c101e',
}
const file = new File(['# Lamp'], 'lamp.md', { type: 'text/markdown' })
const update = (options: Parameters<typeof call>[2], data: Record<string, unknown> = { name: 'Lamp' }) =>
  call(documentEndpoints.updateByFile, { key: KEY_ID, params, body: { data, file } }, options)

const progressEvents: { headers: Record<string, string>; body: string }[] = []
const server = serveApi(
  http.post('*/update-by-file', async ({ request }) => {
    progressEvents.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return HttpResponse.json({ document: { id: params.document_id }, batch: '1' })
  }),
)
afterEach(() => {
  progressEvents.length = 0
})

test('a form that is watched has its parts, its headers and its reply', async () => {
  const reply = await update({ onProgress: () => undefined })
  expect(reply.document.id).toBe(params.document_id)
  expect(progressEvents[0]?.headers).toMatchObject({
    'x-console': '1',
    'content-type': expect.stringMatching(/^multipart/),
  })
  expect(progressEvents[0]?.body).toMatch(/name="data"\s+\{"name":"Lamp"\}/)
  expect(progressEvents[0]?.body).toContain('filename="lamp.md"')
})

test('a refusal of a watched form is a Problem with the platform’s words', async () => {
  server.use(
    http.post('*/update-by-file', () =>
      HttpResponse.json(
        { kind: 'refused', message: 'Unsupported.', upstream: { status: 415, body: null } },
        { status: 424 },
      ),
    ),
  )
  await expect(update({ onProgress: () => undefined })).rejects.toMatchObject({
    problem: { kind: 'refused', message: 'Unsupported.', upstream: { status: 415 } },
  })
})

test('a form that the schema refuses is not sent', async () => {
  await expect(update({ onProgress: () => undefined }, { name: '' })).rejects.toMatchObject({
    problem: { kind: 'invalid', fields: [{ path: 'body.name' }] },
  })
  expect(progressEvents).toEqual([])
})

test('an upload that is cancelled ends as a cancelled fetch does', async () => {
  const aborter = new AbortController()
  const sending = update({ onProgress: () => undefined, signal: aborter.signal })
  aborter.abort()
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
  await expect(update({ onProgress: () => undefined, signal: aborter.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a line that breaks in the middle is said as one that does not answer', async () => {
  server.use(http.post('*/update-by-file', () => HttpResponse.error()))
  await expect(update({ onProgress: () => undefined })).rejects.toMatchObject({ problem: { kind: 'unreachable' } })
})
