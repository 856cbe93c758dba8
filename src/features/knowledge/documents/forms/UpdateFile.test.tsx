import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newQueryClient } from '../../../../client/query.ts'
import { makeSession } from '../../../../client/session.testing.ts'
import { toDocumentHistory } from '../documentHistory.ts'
import { DocumentFilesField } from './DocumentFilesField.tsx'
import { UpdateFile } from './UpdateFile.tsx'
import type { UpdateFormProps } from './UpdateText.tsx'

const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [], total: 0 })),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => sessionStorage.clear())
afterAll(() => server.close())

const onHasFile = vi.fn()
const open = (record: UpdateFormProps['record']) =>
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <UpdateFile
            dataset_id="96f9465c-523c-4a73-aee3-31c317abd40d"
            document_id="80b2f014-4c68-47c0-a2d4-8c0e189c101e"
            keyId="1d10d2e4-8669-4dfa-88c8-c11f02d6cd63"
            canListSegments={false}
            technique="economy"
            record={record}
            history={toDocumentHistory([])}
            onSent={() => undefined}
            onClose={() => undefined}
            onHasFile={onHasFile}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

test('an update by a file begins with the name that the document has', () => {
  open({ id: '80b2f014-4c68-47c0-a2d4-8c0e189c101e', name: 'report.html', indexing_status: 'completed' })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^name/i }).value).toBe('report.html')
})

test('a document that is known by its id alone has no name to begin with', () => {
  open(null)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^name/i }).value).toBe('')
})

test('a file that was sent has the state of a success, not of an unknown status', () => {
  const upload = { id: 1, file: new File(['tea'], 'tea.txt'), state: 'done', fileError: null, existing: null } as const
  const uploads = {
    uploads: [{ ...upload, sentBytes: 3, totalBytes: 3, problem: null }],
    add: vi.fn(),
    remove: vi.fn(),
    start: vi.fn(),
    cancel: vi.fn(),
    isBusy: false,
  }
  render(
    <MantineProvider>
      <DocumentFilesField uploads={uploads} />
    </MantineProvider>,
  )
  expect(screen.getByText('sent').dataset.state).toBe('succeeded')
})
