import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test } from 'vitest'
import type { Key } from '#contract/console/workspaces.ts'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { KeptMessageNote } from './RunNotes.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const CONVERSATION = '0190b6a0-1111-7abc-8def-0123456789ab'
const MESSAGE = '0190b6a0-2222-7abc-8def-0123456789ab'

/** A message as release 1.16 lists it. */
const message = (part: Record<string, unknown>) => ({
  id: MESSAGE,
  conversation_id: CONVERSATION,
  query: 'What?',
  answer: '',
  created_at: 1_795_361_491,
  status: 'normal',
  error: null,
  ...part,
})
const requests: URL[] = []
let data: unknown[] = []
let status = 200
serveApi(
  http.get('*/api/keys/k/messages', ({ request }) => {
    requests.push(new URL(request.url))
    if (status !== 200) return HttpResponse.json({ kind: 'unreachable', message: 'No answer.' }, { status })
    return HttpResponse.json({ limit: 100, has_more: false, data })
  }),
)
afterEach(() => {
  requests.splice(0)
  status = 200
})

const broken: Partial<Turn> = {
  state: 'interrupted',
  answer: { ...emptyAnswer, text: 'Echo: a b', conversation_id: CONVERSATION, message_id: MESSAGE },
}
function show(part: Partial<Turn>, offers: string[] = ['listMessages']) {
  renderPage(<KeptMessageNote turn={sampleTurn(part)} app={{ id: 'k', kind: 'chat', offers } as unknown as Key} />)
}
const readNote = async () => (await screen.findByRole('note')).querySelector('p')?.textContent

test('a broken answer that the platform has whole is complete there, with its text', async () => {
  data = [message({ id: 'another', answer: 'Another.' }), message({ answer: 'Echo: a b c d' })]
  show(broken)
  expect(await readNote()).toBe('Stored by the platform: complete, 13 characters.')
  await userEvent.click(screen.getByText('Text on the platform'))
  expect(screen.getByText('Echo: a b c d')).toBeDefined()
  expect(screen.queryByText('Another.')).toBeNull()
  expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toMatchObject({
    conversation_id: CONVERSATION,
    user: 'mira',
  })
})

test('a list that cannot be read is a problem with a retry, and no claim', async () => {
  status = 502
  show(broken)
  expect((await screen.findByRole('alert')).textContent).toContain('No answer.')
  expect(screen.queryByRole('note')).toBeNull()
})

test('of an agent’s answer that was stopped the platform keeps no text, and is not asked', async () => {
  const answer = { ...emptyAnswer, text: 'word0 word1', by_agent: true }
  show({ state: 'stopped', answer })
  expect(await readNote()).toBe('The platform did not store the text of this answer; Loupe did.')
  expect(requests).toEqual([])
})

test.each<[string, Partial<Turn>]>([
  ['chat that was stopped', { state: 'stopped', answer: { ...emptyAnswer, text: 'word0' } }],
  ['agent that has answered', { answer: { ...emptyAnswer, text: 'word0', by_agent: true } }],
])('nothing is said of the answer of a %s', (_, part) => {
  show(part)
  expect(screen.queryByRole('note')).toBeNull()
})
