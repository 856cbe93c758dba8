import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { toRunFile } from '#domain/runFile/runFile.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { RunFilePage } from './RunFilePage.tsx'
import { renderPage } from '../../../client/page.testing.tsx'

const block = (event: object) => `data: ${JSON.stringify(event)}`
const blocks = [
  block({ event: 'message', answer: 'Keep the gap ' }),
  block({ event: 'message', answer: 'below **0.35** mm. ![beacon](https://evil.example/x.png)' }),
  block({ event: 'message_end', metadata: { usage: { total_price: '0.0041', currency: 'USD' } } }),
]
const file = toRunFile({
  run: makeRun({
    person: 'Mira',
    user: 'mira',
    title: 'What gap?',
    frames: 3,
    total_price: '0.0041',
    currency: 'USD',
    request: { query: 'What gap?', user: 'mira', inputs: {} },
    // What a file says of its own answer is not believed: the frames are.
    answer: { text: 'Forged.' },
  }),
  path: '/chat-messages',
  frames: blocks.map((text, index) => ({ seq: index + 1, at: index * 10 + 12, bytes: text.length, block: text })),
  reply: null,
  platform: { name: 'North', base_url: 'https://p.example/v1' },
  loupe: '0.1.0',
  exported_at: '2026-11-21T10:01:00.000Z',
})
const fileText = JSON.stringify(file)

const open = async (text: string) => {
  renderPage(<RunFilePage />)
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no file can be chosen')
  await userEvent.upload(input, new File([text], 'run.json', { type: 'application/json' }))
}

test('a run file opens with its words from its frames, its figures and where it went; nothing of it can be sent', async () => {
  await open(fileText)
  expect(await screen.findByRole('heading', { name: 'What gap?' })).toBeDefined()
  expect(await screen.findByText('0.35')).toBeDefined()
  const answer = screen.getByRole('article', { name: 'Answer' })
  expect(answer.textContent).toContain('Keep the gap below 0.35 mm.')
  expect(answer.textContent).not.toContain('Forged')
  expect(answer.textContent).toContain('$0.0041')
  expect(document.querySelector('img')).toBeNull()
  expect(screen.getByText(/by Loupe 0.1.0, read-only/).textContent).toContain('North, https://p.example/v1')
  expect(screen.queryByRole('button', { name: /Send/ })).toBeNull()
  await userEvent.click(screen.getByRole('tab', { name: 'Request' }))
  expect(screen.getByRole('tabpanel').textContent).toContain('POST https://p.example/v1/chat-messages')
})

test('a file that was cut is refused with words, and another may be chosen', async () => {
  await open(fileText.slice(0, -20))
  expect(await screen.findByText(/The file ends in the middle/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeDefined()
})
