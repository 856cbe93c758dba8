import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { AnnotationForm } from './AnnotationForm.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

serveApi(http.post('*/api/annotations/similar', () => HttpResponse.json({ data: [], seen: 0 })))
beforeEach(() => sessionStorage.clear())

const open = (answer: string) => {
  renderPage(
    <AnnotationForm
      app="a"
      initial={{ question: 'How wide is the gap?', answer }}
      draftName="draft"
      onSaved={() => undefined}
      onCancel={() => undefined}
    />,
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
