import { randomUUID } from 'node:crypto'
import { expect, test } from '#support/fixtures.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toEventBlock,
  toMessageBlock,
} from '#support/platforms/scriptedPlatform.ts'

/** One black pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC',
  'base64',
)

test('a file that was sent stands at the question with its picture, and an answer from an annotation is marked', async ({
  signedInPage: page,
  loupe,
  faultyWorkspace,
}) => {
  const { platform, chatKey, id: workspace } = faultyWorkspace
  const ids = createAnswerIds()
  const upload_file_id = randomUUID()
  const annotation = randomUUID()
  const file = {
    related_id: randomUUID(),
    upload_file_id,
    filename: 'dot.png',
    mime_type: 'image/png',
    type: 'image',
    transfer_method: 'local_file',
    // The browser must never load it from here.
    url: `${platform.url}/files/${upload_file_id}/file-preview?sign=once`,
  }
  platform.script = ({ path }, response) => {
    if (path.includes(`/files/${upload_file_id}/preview`))
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    if (path.startsWith('/v1/parameters')) return sendError(response, 200, { user_input_form: [] })
    if (!path.startsWith('/v1/chat-messages')) return sendError(response, 404, { code: 'not_found', message: 'No.' })
    openStream(response)
    response.write(toMessageBlock(ids, 'A stored answer.'))
    const metadata = {
      annotation_reply: { id: annotation, account: { id: randomUUID(), name: 'Owner' } },
      usage: { total_tokens: 3, total_price: '0.000014999999999999999', currency: 'USD' },
    }
    response.end(toEventBlock({ event: 'message_end', ...ids, id: ids.message_id, metadata, files: [file] }))
  }
  const run = randomUUID()
  const response = await page.request.post(`${loupe.url}/api/keys/${chatKey}/chat-messages`, {
    headers: { 'x-console': '1', 'run-id': run },
    data: {
      query: 'What is in this picture?',
      user: 'mira',
      inputs: {},
      response_mode: 'streaming',
      files: [{ type: 'image', transfer_method: 'local_file', upload_file_id }],
    },
  })
  expect(response.ok(), await response.text()).toBe(true)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))

  for (const path of [
    `/runs/${run}?workspace=${workspace}`,
    `/chat?workspace=${workspace}&app=${chatKey}&run=${run}`,
  ]) {
    await page.goto(`${loupe.url}${path}`)
    const files = page.getByRole('list', { name: 'Files of the question' })
    const picture = files.getByRole('img', { name: 'dot.png' })
    await expect(picture).toBeVisible()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
    await expect(files.getByRole('link', { name: 'dot.png' })).toHaveAttribute('href', /download=dot\.png/)
    await expect(page.getByRole('list', { name: 'Files of the answer' })).toHaveCount(0)
    await expect(page.getByText('Answer from an annotation (Owner)')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open annotation' })).toHaveAttribute(
      'href',
      `/annotations?workspace=${workspace}&app=${chatKey}&annotation=${annotation}`,
    )
    await expect(page.getByText('$0.000015').first()).toHaveAttribute('title', '$0.000014999999999999999')
  }
  expect(requested.filter((url) => !url.startsWith(loupe.url) && !url.startsWith('data:'))).toEqual([])
})
