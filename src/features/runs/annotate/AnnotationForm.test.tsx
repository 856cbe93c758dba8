import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { AnnotationForm } from './AnnotationForm.tsx'

const server = setupServer(http.post('*/api/annotations/similar', () => HttpResponse.json({ data: [], seen: 0 })))
beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' })
  // jsdom has no workers: the changes, which one compares, stay uncompared.
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage = vi.fn()
      terminate = vi.fn()
    },
  )
})
beforeEach(() => sessionStorage.clear())
afterAll(() => {
  server.close()
  vi.unstubAllGlobals()
})

const open = (answer: string) => {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <AnnotationForm
            app="a"
            initial={{ question: 'How wide is the gap?', answer }}
            draftName="draft"
            onSaved={() => undefined}
            onCancel={() => undefined}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Answer' })
}

test('the citation marks of an answer are named, and one press leaves them out', async () => {
  const field = open('It is 0.35 mm [1], cold [12][1]. See [2](https://a.example).')
  expect(screen.getByText(/citation marks \(\[1\] \[12\]\)/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Remove the marks' }))
  expect(field.value).toBe('It is 0.35 mm, cold. See [2](https://a.example).')
  expect(screen.queryByText(/citation marks/)).toBeNull()
})
