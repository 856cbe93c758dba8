import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import { askQuestion, getAnswerText, lastAnswer } from '#support/chatPage.ts'
import {
  toEventBlock,
  type AnswerIds,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  sendError,
  type ScriptedPlatform,
  type StreamEnd,
  streamBlocks,
} from '#support/platforms/scriptedPlatform.ts'
import { expect, test } from '#support/fixtures.ts'

interface PlatformFault {
  /** What the platform does, after "a platform that". */
  title: string
  /** What it streams, and how it stops. */
  blocks?: (ids: AnswerIds) => (string | Buffer)[]
  stop?: StreamEnd
  /** What it does in place of a stream. */
  answer?: (response: ServerResponse) => void
  mode?: 'blocking'
  /** What a person is told. */
  expectedTexts: (string | RegExp)[]
  /** What must not be said. */
  unexpectedTexts?: string[]
  /** The words of the answer, null where there is none. */
  expectedAnswer: string | null
  status: string
  /** A frame is over 1 MiB: its first part is kept. */
  cutsFrames?: boolean
}

const PARAGRAPHS = Array.from({ length: 1030 }, (_, index) => `${index} ${'a long frame '.repeat(77)}`.trim())

const PLATFORM_FAULTS: PlatformFault[] = [
  {
    title: 'sends frames that are no JSON',
    blocks: (ids) => [
      toMessageBlock(ids, 'Before, '),
      'data: {"event":"message","answer":"lost"\n\n',
      'data: nonsense\n\n',
      toMessageBlock(ids, 'after.'),
      toMessageEndBlock(ids),
    ],
    expectedTexts: ['2 frames are not valid events: their data is not a JSON object with an event name.'],
    expectedAnswer: 'Before, after.',
    status: 'succeeded',
  },
  {
    title: 'sends a frame of 1 MiB',
    blocks: (ids) => [toMessageBlock(ids, PARAGRAPHS.join('\n\n')), toMessageEndBlock(ids)],
    expectedTexts: [],
    expectedAnswer: PARAGRAPHS.join('\n'),
    status: 'succeeded',
  },
  {
    title: 'sends a line without an end',
    blocks: (ids) => [toMessageBlock(ids, 'Before it. '), `data: ${'x'.repeat(1_200_000)}`],
    expectedTexts: [
      'The platform closed the stream after frame 2, without message_end.',
      '1 event is over 1 MiB: (no event name). Only the first 1 MiB is stored. See Frames.',
    ],
    expectedAnswer: 'Before it.',
    status: 'interrupted',
    cutsFrames: true,
  },
  {
    title: 'sends bytes that are no UTF-8',
    blocks: (ids) => [toInvalidUtf8(toMessageBlock(ids, 'Before ~ after.')), toMessageEndBlock(ids)],
    expectedTexts: ['Invalid UTF-8 is shown as �.'],
    expectedAnswer: 'Before � after.',
    status: 'succeeded',
  },
  {
    title: 'answers with a web page and status 200',
    answer: (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>Maintenance</h1></html>'),
    expectedTexts: [
      'No answer received.',
      'The platform answered with text/html where a stream was asked for: “Maintenance”.',
    ],
    expectedAnswer: null,
    status: 'failed',
  },
  {
    title: 'sends an error before the first word',
    blocks: () => [toErrorBlock('The model is overloaded.')],
    expectedTexts: ['The platform sent an error instead of an answer.', 'The model is overloaded.', '503'],
    expectedAnswer: null,
    status: 'failed',
  },
  {
    title: 'sends an error in the middle',
    blocks: (ids) => [
      toMessageBlock(ids, 'Half of '),
      toMessageBlock(ids, 'an answer'),
      toErrorBlock('Quota used up.'),
    ],
    expectedTexts: [
      'The platform ended the answer with an error. What was received is saved.',
      'Quota used up.',
      'cut here',
    ],
    expectedAnswer: 'Half of an answer',
    status: 'failed',
  },
  {
    title: 'opens a stream and closes it at once',
    blocks: () => [],
    expectedTexts: ['interrupted', 'The platform opened a stream and closed it without sending a frame.'],
    unexpectedTexts: ['frame 0'],
    expectedAnswer: null,
    status: 'interrupted',
  },
  {
    title: 'hangs up on the request',
    answer: (response) => void response.destroy(),
    expectedTexts: ['interrupted', 'The connection to the platform was lost. No frame was received.'],
    unexpectedTexts: ['frame 0'],
    expectedAnswer: null,
    status: 'interrupted',
  },
  {
    title: 'breaks the line in the middle',
    blocks: (ids) => [toMessageBlock(ids, 'Half of '), toMessageBlock(ids, 'an answer')],
    stop: 'breaks',
    expectedTexts: [
      'interrupted',
      'The connection to the platform was lost. Everything up to frame 2 is saved.',
      'cut here',
    ],
    expectedAnswer: 'Half of an answer',
    status: 'interrupted',
  },
  {
    title: 'closes the stream without an end event',
    blocks: (ids) => [toMessageBlock(ids, 'Half of '), toMessageBlock(ids, 'an answer')],
    expectedTexts: [
      'interrupted',
      'The platform closed the stream after frame 2, without message_end. What was received is saved.',
    ],
    expectedAnswer: 'Half of an answer',
    status: 'interrupted',
  },
  {
    title: 'sends two end events, and a word after the end',
    blocks: (ids) => [
      toMessageBlock(ids, 'Once.'),
      toMessageEndBlock(ids),
      toMessageEndBlock(ids),
      toMessageBlock(ids, ' Late.'),
    ],
    expectedTexts: ['2 events arrived after the end of the answer and are not part of it.'],
    expectedAnswer: 'Once.',
    status: 'succeeded',
  },
  {
    title: 'takes no more questions for a while (429 with Retry-After)',
    answer: (response) =>
      sendError(
        response,
        429,
        { code: 'too_many_requests', message: 'Slow down.', status: 429 },
        { 'retry-after': '7' },
      ),
    expectedTexts: ['The platform refused to answer.', 'Slow down.', '429', 'The platform asks you to wait 7 s.'],
    expectedAnswer: null,
    status: 'failed',
  },
  {
    title: 'redirects to another host',
    answer: (response) => void response.writeHead(307, { location: 'http://elsewhere.example/v1/chat' }).end(),
    expectedTexts: [
      'No answer received.',
      'The platform answered with a redirect to http://elsewhere.example. Redirects are not followed.',
      '307',
    ],
    expectedAnswer: null,
    status: 'failed',
  },
  {
    title: 'has a gateway that cuts a blocking call',
    answer: (response) => void response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway</h1>'),
    mode: 'blocking',
    expectedTexts: [
      'unknown',
      'The platform answered 504 with the page “Gateway”. It may have finished and been charged.',
    ],
    expectedAnswer: null,
    status: 'unknown',
  },
]

for (const misdeed of PLATFORM_FAULTS)
  test(`a platform that ${misdeed.title} is told of in plain words, and asked once`, async ({
    signedInPage,
    faultyWorkspace,
    loupe,
  }) => {
    const { expectedTexts, unexpectedTexts = [], expectedAnswer, status, stop = 'closes', cutsFrames = false } = misdeed
    const blocks = misdeed.blocks?.(createAnswerIds())
    faultyWorkspace.platform.script = (seen, response) => {
      if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
      return blocks ? streamBlocks(response, blocks, stop) : misdeed.answer?.(response)
    }
    await signedInPage.clock.install()
    await signedInPage.goto(faultyWorkspace.chat)
    if (misdeed.mode)
      await signedInPage.getByRole('radiogroup', { name: 'Response mode' }).getByText(misdeed.mode).click()
    await askQuestion(signedInPage, 'Tell me.')

    const isSaid = async () => {
      for (const words of expectedTexts) await expect(lastAnswer(signedInPage)).toContainText(words)
      for (const words of unexpectedTexts) await expect(lastAnswer(signedInPage)).not.toContainText(words)
      if (expectedAnswer === null) await expect(lastAnswer(signedInPage).locator('p')).toHaveCount(0)
      else
        await expect.poll(async () => toShortHash(await getWholeAnswer(signedInPage))).toBe(toShortHash(expectedAnswer))
      const again = status === 'succeeded' ? 'Regenerate' : 'Send again'
      await expect(lastAnswer(signedInPage).getByRole('button', { name: again })).toBeVisible()
    }
    await isSaid()
    // Whoever waits for something to try again by itself has had the time.
    await signedInPage.clock.fastForward('10:00')
    await signedInPage.reload()
    await isSaid()
    expect(countQuestions(faultyWorkspace.platform)).toBe(1)

    const list = await signedInPage.request.get(`${loupe.url}/api/runs?workspace=${faultyWorkspace.id}`)
    const [run] = ((await list.json()) as { data: { id: string; status: string }[] }).data
    expect(run?.status).toBe(status)
    const kept = await signedInPage.request.get(`${loupe.url}/api/runs/${run?.id}/frames`)
    const { data } = (await kept.json()) as { data: { block: string; raw?: string }[] }
    const bytes = data.map(({ block, raw }) =>
      raw ? Buffer.from(raw, 'base64') : Buffer.from(block.replace(/\n: first \d+ of \d+ bytes stored$/, '')),
    )
    expect(bytes.map((one) => toShortHash(trimNewlines(one)))).toEqual(
      (blocks ?? []).map((one, index) => {
        const whole = trimNewlines(Buffer.from(one))
        return toShortHash(cutsFrames ? whole.slice(0, bytes[index]?.length) : whole)
      }),
    )
  })

test('a platform that says nothing for long is waited for, and says so', async ({ signedInPage, faultyWorkspace }) => {
  let goOn: () => void = () => undefined
  const ids = createAnswerIds()
  faultyWorkspace.platform.script = async (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    await new Promise<void>((resolve) => (goOn = resolve))
    response.write(toMessageBlock(ids, 'Here I '))
    await new Promise<void>((resolve) => (goOn = resolve))
    response.end(toMessageBlock(ids, 'am.') + toMessageEndBlock(ids))
  }
  await signedInPage.clock.install()
  await signedInPage.goto(faultyWorkspace.chat)
  await askQuestion(signedInPage, 'Tell me.')
  const status = lastAnswer(signedInPage).getByRole('status').filter({ hasText: 'live' })
  await expect(status).toContainText('Request sent, no frame yet. You can leave this page.')
  await signedInPage.clock.fastForward(30_000)
  await expect(status).toContainText(
    /nothing for [3-9]\d s\. Cut after 60 s without a response, or 120 s without a frame\./,
  )
  await expect.poll(() => countQuestions(faultyWorkspace.platform)).toBe(1)
  goOn()
  await expect(lastAnswer(signedInPage)).toContainText('Here I')
  goOn()
  await expect.poll(() => getWholeAnswer(signedInPage)).toBe('Here I am.')
  expect(countQuestions(faultyWorkspace.platform)).toBe(1)
})

const toErrorBlock = (message: string): string =>
  toEventBlock({
    event: 'error',
    task_id: 'a-task',
    message_id: 'a-message',
    status: 503,
    code: 'overloaded',
    message: message,
  })

/** The text with a byte that begins no letter in place of its tilde. */
function toInvalidUtf8(text: string): Buffer {
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('~')] = 0xff
  return bytes
}

const trimNewlines = (bytes: Buffer): string => bytes.toString('latin1').replace(/\n+$/, '')

/** Long texts are compared by it, so that a test that fails does not print a megabyte. */
const toShortHash = (text: string): string =>
  text.length < 500 ? text : createHash('sha256').update(text).digest('hex')

const countQuestions = ({ requests }: ScriptedPlatform): number =>
  requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/chat-messages')).length

/** The words of the answer without the mark of a cut. */
const getWholeAnswer = async (page: Page): Promise<string> =>
  (await getAnswerText(page)).replace(/\s*cut here$/, '').trim()
