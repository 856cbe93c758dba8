import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeCall } from '../../../client/runRow.testing.ts'
import { sampleTurn } from '../turn.testing.ts'
import { QuestionFiles } from './QuestionFiles.tsx'

const UPLOAD = makeCall({
  entry: 'adjacent.uploadFile',
  title: 'report.pdf',
  reply: { id: 'u1', name: 'report.pdf', size: 20_480 },
})
serveApi(
  http.get('*/api/calls', ({ request }) =>
    HttpResponse.json(toPage(new URL(request.url).searchParams.get('resource') === 'u1' ? [UPLOAD] : [])),
  ),
)

const show = (upload_file_id: string) => {
  const file = { type: 'document', transfer_method: 'local_file', upload_file_id }
  const turn = sampleTurn({ question: { ...sampleTurn().question, body: { files: [file] } } })
  renderPage(<QuestionFiles turn={turn} app="k" />)
}

test('an uploaded file has the name and the size of its upload, and its id on hover', async () => {
  show('u1')
  const link = await screen.findByRole('link', { name: 'report.pdf' })
  expect(link.getAttribute('title')).toBe('u1')
  expect(link.getAttribute('download')).toBe('report.pdf')
  expect(link.closest('li')?.textContent).toContain('20.5 kB')
})

test('a file that was uploaded elsewhere is named by its id', async () => {
  show('u2')
  expect(await screen.findByRole('link', { name: 'u2' })).toBeDefined()
})
