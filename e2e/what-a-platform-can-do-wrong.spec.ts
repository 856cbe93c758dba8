import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import {
  block,
  type Ids,
  message,
  messageEnd,
  newIds,
  refuse,
  type ScriptedPlatform,
  type Stop,
  stream,
} from './faults/platform.ts'
import { expect, test } from './fixtures.ts'

interface Misdeed {
  /** What the platform does, after "a platform that". */
  that: string
  /** What it streams, and how it stops. */
  blocks?: (ids: Ids) => (string | Buffer)[]
  stop?: Stop
  /** What it does in place of a stream. */
  instead?: (response: ServerResponse) => void
  mode?: 'blocking'
  /** What a person is told. */
  says: (string | RegExp)[]
  /** What must not be said. */
  neverSays?: string[]
  /** The words of the answer, null where there is none. */
  shows: string | null
  status: string
  /** The console stops reading within a frame: what it has of it is kept. */
  cutsFrames?: boolean
}

const PARAGRAPHS = Array.from({ length: 1030 }, (_, index) => `${index} ${'a long frame '.repeat(77)}`.trim())

const MISDEEDS: Misdeed[] = [
  {
    that: 'sends frames that are no JSON',
    blocks: (ids) => [
      message(ids, 'Before, '),
      'data: {"event":"message","answer":"lost"\n\n',
      'data: nonsense\n\n',
      message(ids, 'after.'),
      messageEnd(ids),
    ],
    says: ['2 frames are no events: their data is not a JSON object with a name.'],
    shows: 'Before, after.',
    status: 'succeeded',
  },
  {
    that: 'sends a frame of 1 MiB',
    blocks: (ids) => [message(ids, PARAGRAPHS.join('\n\n')), messageEnd(ids)],
    says: [],
    shows: PARAGRAPHS.join('\n'),
    status: 'succeeded',
  },
  {
    that: 'sends a line without an end',
    blocks: (ids) => [message(ids, 'Before it. '), `data: ${'x'.repeat(1_200_000)}`],
    says: ['interrupted', 'The platform sent over 1 MiB without ending the frame.', 'What came up to frame 2 is kept.'],
    shows: 'Before it.',
    status: 'interrupted',
    cutsFrames: true,
  },
  {
    that: 'sends bytes that are no UTF-8',
    blocks: (ids) => [cutLetter(message(ids, 'Before ~ after.')), messageEnd(ids)],
    says: ['Where � stands, the platform’s text was damaged.'],
    shows: 'Before � after.',
    status: 'succeeded',
  },
  {
    that: 'answers with a web page and status 200',
    instead: (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>Maintenance</h1></html>'),
    says: ['No answer came.', 'The platform answered with text/html where a stream was asked for.'],
    shows: null,
    status: 'failed',
  },
  {
    that: 'answers with JSON that holds no answer and status 200',
    instead: (response) => refuse(response, 200, { ok: true }),
    says: ['No answer came.', 'The platform’s reply holds no answer.'],
    shows: null,
    status: 'failed',
  },
  {
    that: 'sends an error before the first word',
    blocks: () => [error('The model is overloaded.')],
    says: ['The platform sent an error in place of an answer.', 'The model is overloaded.', '503'],
    shows: null,
    status: 'failed',
  },
  {
    that: 'sends an error in the middle',
    blocks: (ids) => [message(ids, 'Half of '), message(ids, 'an answer'), error('Quota used up.')],
    says: ['The platform broke off the answer with an error. What came is kept.', 'Quota used up.', 'cut here'],
    shows: 'Half of an answer',
    status: 'failed',
  },
  {
    that: 'opens a stream and closes it at once',
    blocks: () => [],
    says: ['interrupted', 'The platform opened a stream and closed it without a frame. Nothing came.'],
    neverSays: ['frame 0'],
    shows: null,
    status: 'interrupted',
  },
  {
    that: 'opens a stream and breaks the line at once',
    blocks: () => [],
    stop: 'breaks',
    says: ['interrupted', 'The connection to the platform broke. No frame came.'],
    neverSays: ['frame 0'],
    shows: null,
    status: 'interrupted',
  },
  {
    that: 'hangs up on the request',
    instead: (response) => void response.destroy(),
    says: ['interrupted', 'The connection to the platform broke. No frame came.'],
    neverSays: ['frame 0'],
    shows: null,
    status: 'interrupted',
  },
  {
    that: 'breaks the line in the middle',
    blocks: (ids) => [message(ids, 'Half of '), message(ids, 'an answer')],
    stop: 'breaks',
    says: ['interrupted', 'The connection to the platform broke. What came up to frame 2 is kept.', 'cut here'],
    shows: 'Half of an answer',
    status: 'interrupted',
  },
  {
    that: 'closes the stream without an end event',
    blocks: (ids) => [message(ids, 'Half of '), message(ids, 'an answer')],
    says: ['interrupted', 'The platform closed the stream after frame 2, no message_end. What came is kept.'],
    shows: 'Half of an answer',
    status: 'interrupted',
  },
  {
    that: 'sends two end events, and a word after the end',
    blocks: (ids) => [message(ids, 'Once.'), messageEnd(ids), messageEnd(ids), message(ids, ' Late.')],
    says: ['2 events came after the end of the answer and are not part of it.'],
    shows: 'Once.',
    status: 'succeeded',
  },
  {
    that: 'takes no more questions for a while (429 with Retry-After)',
    instead: (response) =>
      refuse(response, 429, { code: 'too_many_requests', message: 'Slow down.', status: 429 }, { 'retry-after': '7' }),
    says: ['The platform refused to answer.', 'Slow down.', '429', 'The platform asks to wait 7 s.'],
    shows: null,
    status: 'failed',
  },
  {
    that: 'redirects to another host',
    instead: (response) => void response.writeHead(307, { location: 'http://elsewhere.example/v1/chat' }).end(),
    says: [
      'No answer came.',
      'The platform answered with a redirect to http://elsewhere.example. Redirects are not followed.',
      '307',
    ],
    shows: null,
    status: 'failed',
  },
  {
    that: 'has a gateway that cuts a blocking call',
    instead: (response) => void response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway</h1>'),
    mode: 'blocking',
    says: ['unknown', 'The platform answered 504. It may have finished and been charged.'],
    shows: null,
    status: 'unknown',
  },
]

for (const misdeed of MISDEEDS)
  test(`a platform that ${misdeed.that} is told of in plain words, and asked once`, async ({ desk, faults, loupe }) => {
    const { says, neverSays = [], shows, status, stop = 'closes', cutsFrames = false } = misdeed
    const blocks = misdeed.blocks?.(newIds())
    faults.platform.script = (seen, response) => {
      if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
      return blocks ? stream(response, blocks, stop) : misdeed.instead?.(response)
    }
    await desk.clock.install()
    await desk.goto(faults.chat)
    if (misdeed.mode) await desk.getByRole('radiogroup', { name: 'Response mode' }).getByText(misdeed.mode).click()
    await send(desk, 'Tell me.')

    const isSaid = async () => {
      for (const words of says) await expect(answer(desk)).toContainText(words)
      for (const words of neverSays) await expect(answer(desk)).not.toContainText(words)
      if (shows === null) await expect(answer(desk).locator('p')).toHaveCount(0)
      else await expect.poll(async () => hashOf(await spoken(desk))).toBe(hashOf(shows))
      const again = status === 'succeeded' ? 'Ask once more' : 'Send again'
      await expect(answer(desk).getByRole('button', { name: again })).toBeVisible()
    }
    await isSaid()
    // Whoever waits for something to try again by itself has had the time.
    await desk.clock.fastForward('10:00')
    await desk.reload()
    await isSaid()
    expect(questions(faults.platform)).toBe(1)

    const list = await desk.request.get(`${loupe.url}/api/runs?workspace=${faults.id}`)
    const [run] = ((await list.json()) as { data: { id: string; status: string }[] }).data
    expect(run?.status).toBe(status)
    const kept = await desk.request.get(`${loupe.url}/api/runs/${run?.id}/frames`)
    const { data } = (await kept.json()) as { data: { block: string; raw?: string }[] }
    const bytes = data.map((frame) => Buffer.from(frame.raw ?? frame.block, frame.raw ? 'base64' : 'utf8'))
    expect(bytes.map((one) => hashOf(trimmed(one)))).toEqual(
      (blocks ?? []).map((one, index) => {
        const whole = trimmed(Buffer.from(one))
        return hashOf(cutsFrames ? whole.slice(0, bytes[index]?.length) : whole)
      }),
    )
  })

test('a platform that says nothing for long is waited for, and says so', async ({ desk, faults }) => {
  let goOn: () => void = () => undefined
  const ids = newIds()
  faults.platform.script = async (seen, response) => {
    if (!seen.path.endsWith('/chat-messages')) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    await new Promise<void>((resolve) => (goOn = resolve))
    response.write(message(ids, 'Here I '))
    await new Promise<void>((resolve) => (goOn = resolve))
    response.end(message(ids, 'am.') + messageEnd(ids))
  }
  await desk.clock.install()
  await desk.goto(faults.chat)
  await send(desk, 'Tell me.')
  const status = answer(desk).getByRole('status').filter({ hasText: 'live' })
  await expect(status).toContainText('The request is out. No frame yet. You can leave this page.')
  await desk.clock.fastForward(30_000)
  await expect(status).toContainText(/Nothing for [3-9]\d s\./)
  goOn()
  await expect(answer(desk)).toContainText('Here I')
  goOn()
  await expect.poll(() => spoken(desk)).toBe('Here I am.')
  expect(questions(faults.platform)).toBe(1)
})

const error = (words: string): string =>
  block({ event: 'error', task_id: 'a-task', message_id: 'a-message', status: 503, code: 'overloaded', message: words })

/** The text with a byte that begins no letter in place of its tilde. */
function cutLetter(text: string): Buffer {
  const bytes = Buffer.from(text)
  bytes[bytes.indexOf('~')] = 0xff
  return bytes
}

const trimmed = (bytes: Buffer): string => bytes.toString('latin1').replace(/\n+$/, '')

/** Long texts are compared by it, so that a test that fails does not print a megabyte. */
const hashOf = (text: string): string => (text.length < 500 ? text : createHash('sha256').update(text).digest('hex'))

const questions = ({ seen }: ScriptedPlatform): number =>
  seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/chat-messages')).length

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question)
  await page.keyboard.press('Control+Enter')
}

const answer = (page: Page) => page.getByRole('log').getByRole('article', { name: 'Answer' }).last()

/** The words of the answer as they stand there, without the mark of a cut. */
async function spoken(page: Page): Promise<string> {
  const paragraphs = await answer(page).locator('p').allTextContents()
  return paragraphs
    .join('\n')
    .replace(/\s*cut here$/, '')
    .trim()
}
