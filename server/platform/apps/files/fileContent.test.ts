import { expect, test } from 'vitest'
import { PNG, uploadFile, type OpenApps } from '../apps.fixture.ts'
import { setupApps } from '../serveApps.fixture.ts'
import { createFileLinks, LINK_LIFETIME_S } from './fileLinks.ts'

const { serve } = setupApps()

async function upload(platform: OpenApps, name: string, content: Buffer, type = 'text/plain') {
  const { body } = await uploadFile(platform, name, content, { type })
  return { id: String(body['id']), link: String(body['source_url']) }
}

/** The link to the file of the one question about it. */
async function askAbout(platform: OpenApps, upload_file_id: string) {
  const files = [{ type: 'image', transfer_method: 'local_file', upload_file_id }]
  const question = { query: 'What is on it?', user: 'ada', response_mode: 'blocking', files }
  const { body } = await platform.call('chat', 'POST', '/chat-messages', question)
  const path = `/messages?user=ada&conversation_id=${String(body['conversation_id'])}`
  const { data } = (await platform.call('chat', 'GET', path)).body as {
    data: [{ message_files: [Record<string, unknown>] }]
  }
  return data[0].message_files[0]
}

test('a picture of a question is in the history with a link, which shows it without a key', async () => {
  const platform = await serve()
  const { id } = await upload(platform, 'dot.png', PNG)
  const file = await askAbout(platform, id)
  const origin = platform.base.replace(/\/v1$/, '')
  expect(file).toEqual({
    id: expect.any(String),
    filename: 'dot.png',
    type: 'image',
    url: expect.stringMatching(
      new RegExp(`^${origin}/files/${id}/file-preview\\?timestamp=\\d{10}&nonce=[0-9a-f]{32}&sign=[\\w-]{43}$`),
    ),
    mime_type: 'image/png',
    size: PNG.length,
    transfer_method: 'local_file',
    belongs_to: 'user',
    upload_file_id: id,
  })
  expect(file.url).not.toBe((await askAbout(platform, id)).url)
  const shown = await fetch(String(file.url))
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': "inline; filename*=UTF-8''dot.png",
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
})

test('a link that was changed, of another file, from another secret or too old shows nothing', async () => {
  let clock = Date.parse('2026-01-01')
  const platform = await serve({ clock: () => clock })
  const { id, link } = await upload(platform, 'dot.png', PNG)
  const other = await upload(platform, 'other.png', PNG)
  const getStatus = async (url: string) => (await fetch(url)).status
  const change = (name: string, value: string) => {
    const url = new URL(link)
    url.searchParams.set(name, value)
    return url.href
  }
  expect(await getStatus(link)).toBe(200)
  for (const url of [
    link.replace(id, other.id),
    change('timestamp', String(Math.floor(clock / 1000) + 60)),
    change('nonce', '0'.repeat(32)),
    change('sign', 'A'.repeat(43)),
    change('sign', ''),
    link.split('?')[0] ?? '',
    link.replace(id, '00000000-0000-4000-8000-000000000000'),
    link.replace(id, 'nonsense'),
  ])
    expect([url, await getStatus(url)]).toEqual([url, 404])
  clock += LINK_LIFETIME_S * 1000
  expect(await getStatus(link)).toBe(200)
  clock += 1000
  expect(await getStatus(link)).toBe(404)
})

test('a link is on the public origin where one is configured, otherwise on that of the request', () => {
  const request = { protocol: 'http' as const, headers: { host: 'inside:8788' } }
  const toOrigin = (publicOrigin: string | null) => {
    const links = createFileLinks({ secret: Buffer.alloc(32, 2), publicOrigin, clock: Date.now })
    return new URL(links.create(request, '11111111-1111-4111-8111-111111111111')).origin
  }
  expect(toOrigin('https://files.example')).toBe('https://files.example')
  expect(toOrigin(null)).toBe('http://inside:8788')
})

test('the preview of a file needs a key of its application', async () => {
  const platform = await serve()
  const { id } = await upload(platform, 'dot.png', PNG)
  const shown = await platform.request('chat', 'GET', `/files/${id}/preview?user=ada`)
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
  const saved = await platform.request('chat', 'GET', `/files/${id}/preview?as_attachment=true`)
  expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''dot.png")
  await saved.arrayBuffer()
  for (const [app, file_id, status] of [
    ['completion', id, 404],
    ['knowledge', id, 401],
    ['nobody', id, 401],
    ['chat', '00000000-0000-4000-8000-000000000000', 404],
    ['chat', 'nonsense', 404],
  ] as const)
    expect(await platform.call(app, 'GET', `/files/${file_id}/preview`)).toMatchObject({ status, body: { status } })
})

test('what could run a script is offered for saving, whatever the client said that it is', async () => {
  const platform = await serve()
  const script = Buffer.from('<script>alert(document.domain)</script><p>text</p>')
  for (const [name, type, disposition] of [
    ['page.html', 'image/png', 'attachment'],
    ['page.htm', 'text/plain', 'attachment'],
    ['page.txt', 'text/html', 'inline'],
  ] as const) {
    const { id, link } = await upload(platform, name, script, type)
    for (const response of [await fetch(link), await platform.request('chat', 'GET', `/files/${id}/preview`)]) {
      expect(await response.text()).toBe(script.toString())
      expect(response.headers.get('content-disposition')).toBe(`${disposition}; filename*=UTF-8''${name}`)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    }
  }
  const { link } = await upload(platform, "it's “a”\r\nx: y.txt", Buffer.from('text'))
  const named = await fetch(link)
  expect(named.headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''it%27s%20%E2%80%9Ca%E2%80%9D/)
  expect(named.headers.get('x')).toBeNull()
})
