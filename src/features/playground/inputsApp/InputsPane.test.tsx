import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { AppParameters } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { InputsDraft } from './useInputsPlayground.ts'
import { InputsPane, type InputsPaneProps } from './InputsPane.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'

const PARAMETERS = {
  user_input_form: [{ paragraph: { label: 'Text', variable: 'text', required: true } }],
} as unknown as AppParameters

const KEY_ID = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const UPLOADED_FILE_ID = '96f9465c-523c-4a73-aee3-31c317abd40d'
const FILE_VARIABLE = { user_input_form: [{ file: { label: 'Scan', variable: 'scan', required: false } }] }
const EMPTY_DRAFT: InputsDraft = { filled: {}, files: [], user: null, response_mode: 'streaming', parent: null }

const server = serveApi()

/** A form that keeps its draft. */
function StatefulPane(props: Partial<InputsPaneProps>) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  return (
    <InputsPane
      entry="workflows.run"
      app={{ id: KEY_ID, offers: ['uploadFile'] } as unknown as Key}
      parameters={undefined}
      refusal={null}
      draft={draft}
      onDraft={(change) => setDraft((before) => ({ ...before, ...change }))}
      defaultUser="mira"
      refusedRun={null}
      onRun={() => undefined}
      version={{ canPin: false, workflow_id: null, setWorkflowId: () => undefined }}
      {...props}
    />
  )
}

function renderPane(props: Partial<InputsPaneProps>) {
  const onRun = vi.fn()
  const { container, rerender } = renderPage(<StatefulPane {...props} onRun={onRun} />)
  const change = (changed: Partial<InputsPaneProps>) => rerender(<StatefulPane {...props} {...changed} onRun={onRun} />)
  return { onRun, change, container }
}

/** An upload that lasts until `finish`. */
function renderUploadingPane(parameters: object) {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  server.use(
    http.post('*/files/upload', async () => {
      await promise
      return HttpResponse.json({ id: UPLOADED_FILE_ID, name: 'tea.txt', size: 3 })
    }),
  )
  const { onRun, container } = renderPane({ parameters: parameters as AppParameters })
  const upload = async () => {
    await screen.findByRole('button', { name: 'Upload' })
    const input = container.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('no file input')
    await userEvent.upload(input, new File(['tea'], 'tea.txt'))
    await screen.findByText(/^Uploading tea.txt/)
  }
  return { onRun, upload, finish }
}
const runButton = () => screen.getByRole('button', { name: 'Run' })

test.each([
  ['a click', () => fireEvent.click(runButton())],
  ['the keys', () => fireEvent.keyDown(runButton(), { key: 'Enter', ctrlKey: true })],
])('a run that is started by %s before the form is known waits for it', async (_, start) => {
  const { onRun, change } = renderPane({})
  start()
  expect(onRun).not.toHaveBeenCalled()
  change({ parameters: PARAMETERS })
  expect(await screen.findByText('Text is required.')).toBeDefined()
  expect(onRun).not.toHaveBeenCalled()
})

test('a run that lacks an input moves the focus to its field', () => {
  renderPane({ parameters: PARAMETERS })
  runButton().focus()
  fireEvent.click(runButton())
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Text/ }))
})

test('an app whose form cannot be loaded can still be run', () => {
  const { onRun } = renderPane({ refusal: { reason: 'Not found', retry: () => undefined } })
  fireEvent.click(runButton())
  expect(onRun).toHaveBeenCalledWith({ inputs: {}, user: 'mira', response_mode: 'streaming' }, null)
})

test.each([
  ['an app without file uploads', { parameters: {} as AppParameters, refusal: null }],
  ['an app whose form cannot be loaded', { parameters: undefined, refusal: { reason: '', retry: () => undefined } }],
])('the files of the form are shown and sent for %s', (_, props) => {
  const file = { type: 'image', transfer_method: 'remote_url', url: 'https://files.example/tea.png' }
  const { onRun } = renderPane({ ...props, draft: { ...EMPTY_DRAFT, files: [file] } })
  expect(screen.getByText(file.url)).toBeDefined()
  fireEvent.click(runButton())
  expect(onRun).toHaveBeenCalledWith(expect.objectContaining({ files: [file] }), null)
})

test('inputs that the platform refused are an error at their field, until the field is changed', () => {
  const refusedRun = { run_id: 'run-1', message: 'text is required in input form' }
  const { change } = renderPane({ parameters: PARAMETERS })
  expect(screen.queryByRole('alert')).toBeNull()
  change({ refusedRun })
  expect(screen.getByRole('alert').textContent).toBe('Text: text is required in input form')
  expect(screen.getByRole('textbox', { name: /Text/ }).getAttribute('aria-invalid')).toBe('true')
  fireEvent.change(screen.getByRole('textbox', { name: /Text/ }), { target: { value: 'tea' } })
  expect(screen.queryByRole('alert')).toBeNull()
  // The next refusal is another run's.
  change({ refusedRun: { ...refusedRun, run_id: 'run-2' } })
  expect(screen.getByRole('alert').textContent).toContain('text is required in input form')
})

const UPLOADED_FILE = { type: 'document', transfer_method: 'local_file', upload_file_id: UPLOADED_FILE_ID }
test.each([
  ['a file variable', FILE_VARIABLE, { inputs: { scan: UPLOADED_FILE } }],
  ['the files', { file_upload: { enabled: true } }, { inputs: {}, files: [UPLOADED_FILE] }],
])('a run with an upload of %s waits for it', async (_, parameters, request) => {
  const { onRun, upload, finish } = renderUploadingPane(parameters)
  await upload()
  fireEvent.click(runButton())
  expect(screen.getByRole('alert').textContent).toMatch(/^Some files are not uploaded yet/)
  expect(onRun).not.toHaveBeenCalled()
  finish()
  expect(await screen.findByRole('button', { name: 'Remove tea.txt' })).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  fireEvent.click(runButton())
  expect(onRun).toHaveBeenCalledWith({ ...request, user: 'mira', response_mode: 'streaming' }, null)
})

test('an upload that goes on can be cancelled, and is sent with no run', async () => {
  const { onRun, upload, finish } = renderUploadingPane(FILE_VARIABLE)
  await upload()
  fireEvent.click(runButton())
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the upload of tea.txt' }))
  expect(screen.queryByText(/^Uploading/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  finish()
  fireEvent.click(runButton())
  expect(onRun).toHaveBeenCalledWith({ inputs: {}, user: 'mira', response_mode: 'streaming' }, null)
  expect(screen.queryByRole('button', { name: 'Remove tea.txt' })).toBeNull()
})

test('inputs change to JSON only when their files are uploaded', async () => {
  const { upload, finish } = renderUploadingPane(FILE_VARIABLE)
  await upload()
  const json = screen.getByRole('radio', { name: 'JSON' })
  expect(json).toHaveProperty('disabled', true)
  finish()
  await waitFor(() => expect(json).toHaveProperty('disabled', false))
  await userEvent.click(json)
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Inputs as JSON' })
  expect(text.value).toContain(UPLOADED_FILE_ID)
})
