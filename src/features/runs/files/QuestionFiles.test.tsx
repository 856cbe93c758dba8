import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import { newQueryClient } from '../../../client/query.ts'
import { sampleTurn } from '../turn.testing.ts'
import { QuestionFiles } from './QuestionFiles.tsx'

const UPLOAD: Call = {
  id: 'c1',
  entry: 'adjacent.uploadFile',
  status: 'succeeded',
  workspace: 'w',
  key: 'k',
  person: 'admin',
  user: 'mira',
  title: 'report.pdf',
  note: null,
  parent: null,
  http_status: 201,
  problem: null,
  created_at: '2026-11-21T12:00:00Z',
  duration_ms: 12,
  first_token_ms: null,
  total_tokens: null,
  total_price: null,
  currency: null,
  frames: 0,
  reply: { id: 'u1', name: 'report.pdf', size: 20_480 },
}
const server = setupServer(
  http.get('*/api/calls', ({ request }) => {
    const isUpload = new URL(request.url).searchParams.get('resource') === 'u1'
    return HttpResponse.json({ data: isUpload ? [UPLOAD] : [], total: null, total_capped: false, next: null })
  }),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())

const show = (upload_file_id: string) => {
  const file = { type: 'document', transfer_method: 'local_file', upload_file_id }
  const turn = sampleTurn({ question: { ...sampleTurn().question, body: { files: [file] } } })
  return render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <QuestionFiles turn={turn} app="k" />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('an uploaded file has the name and the size of its upload, and its id on hover', async () => {
  show('u1')
  const link = await screen.findByRole('link', { name: 'report.pdf' })
  expect(link.getAttribute('title')).toBe('u1')
  expect(link.getAttribute('download')).toBe('report.pdf')
  expect(link.closest('li')?.textContent).toContain('20 kB')
})

test('a file that was uploaded elsewhere is named by its id', async () => {
  show('u2')
  expect(await screen.findByRole('link', { name: 'u2' })).toBeDefined()
})
