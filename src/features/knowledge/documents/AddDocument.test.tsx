import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeCall } from '../../../client/runRow.testing.ts'
import { DOCUMENT, open, state } from './documentsPage.testing.tsx'

test('a refusal at the form shows the platform’s words and keeps what was typed', async () => {
  open()
  const form = await openForm()
  fill(form, /^name/i, 'Manual')
  fill(form, /^text/i, 'The gap stays small.')
  await userEvent.selectOptions(form.getByLabelText(/doc_form/), 'hierarchical_model')
  await userEvent.click(form.getByRole('button', { name: 'Add document' }))
  expect((await form.findByRole('alert')).textContent).toContain('Embedding model is not configured.')
  expect(form.getByLabelText<HTMLTextAreaElement>(/^text/i).value).toBe('The gap stays small.')
  expect(state.sent).toMatchObject([
    { name: 'Manual', doc_form: 'hierarchical_model', process_rule: { mode: 'hierarchical' } },
  ])
})

const edit = makeCall({
  entry: 'segments.updateChildChunk',
  title: 'Hand edited.',
  note: 'typo',
  request: { content: 'Hand edited.' },
})

test('a name that exists is not sent before the person has seen what is lost, and the replacement is said', async () => {
  // The name of a file from macOS is decomposed.
  const name = 'Mu\u0308nze'
  state.documents = [{ id: DOCUMENT, name, indexing_status: 'completed', display_status: 'available' }]
  state.total = 1
  state.calls = [edit]
  state.created = { id: DOCUMENT, name, created_at: 1_700_000_000, indexing_status: 'completed' }
  open()
  const form = await openForm(false)
  fill(form, /^name/i, 'Münze')
  fill(form, /^text/i, 'Another text.')
  await userEvent.click(form.getByRole('button', { name: 'Add document' }))
  const warning = await form.findByText(/This dataset has a document named “Münze”|“Mu\u0308nze”/)
  await form.findByText(/Hand edited/)
  expect(warning).toBeDefined()
  expect(state.sent).toEqual([])
  expect(state.asked.at(-1)).toContain(`keyword=${encodeURIComponent('Münze')}`)

  // Another name has no such document.
  fill(form, /^name/i, 'Munze')
  expect(form.queryByText(/This dataset has a document named/)).toBeNull()
  fill(form, /^name/i, 'Münze')

  await userEvent.click(form.getByRole('button', { name: 'Send and replace' }))
  await waitFor(() => expect(state.sent).toHaveLength(1))
  expect(
    (await screen.findByText(/The platform replaced the document of that name/)).parentElement?.textContent,
  ).toContain('Münze')
})

test('the form of a new document is the one that the dataset has', async () => {
  state.documents = [
    {
      id: DOCUMENT,
      name: 'Parents',
      doc_form: 'hierarchical_model',
      indexing_status: 'completed',
      display_status: 'available',
    },
  ]
  state.total = 1
  open()
  const form = await openForm(false)
  expect(form.getByLabelText<HTMLSelectElement>(/doc_form/).value).toBe('hierarchical_model')
  expect(form.getByLabelText<HTMLSelectElement>(/\bmode$/).value).toBe('hierarchical')
  await form.findByText(/only accepts documents of the chunk type/)
  expect(form.queryByRole('option', { name: 'text_model' })).toBeNull()
})

test('hierarchical documents are not offered with economy', async () => {
  open()
  const form = await openForm()
  await userEvent.selectOptions(form.getByLabelText(/doc_form/), 'hierarchical_model')
  await userEvent.selectOptions(form.getByLabelText(/indexing_technique/), 'economy')
  expect(form.getByLabelText<HTMLSelectElement>(/doc_form/).value).toBe('text_model')
  expect(form.queryByRole('option', { name: 'hierarchical_model' })).toBeNull()
  expect(form.queryByRole('option', { name: 'hierarchical' })).toBeNull()
})

const fill = (form: ReturnType<typeof within>, label: RegExp, value: string) =>
  fireEvent.change(form.getByLabelText(label), { target: { value } })

async function openForm(isEmpty = true) {
  if (isEmpty) await screen.findByText('No documents yet')
  else await screen.findByRole('table', { name: 'Documents' })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add document' }))[0] as HTMLElement)
  return within(await screen.findByRole('dialog'))
}
