import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { delay, http } from 'msw'
import { useRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { AppParameters } from '#contract/platform/appParameters.ts'
import { ignoreCompositionKeys } from '../../../../components/forms/ignoreCompositionKeys.ts'
import { runStore } from '../../../../client/useRun.ts'
import { Composer, type ComposerProps, type ComposerRequest } from './Composer.tsx'
import { emptyComposerDraft } from './composerDraft.ts'
import { toInputFields } from '../../../runs/inputs/inputFields.ts'
import { serveApi } from '../../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../../client/page.testing.tsx'

const controls = toInputFields(
  AppParameters.parse({
    user_input_form: [
      { 'text-input': { label: 'Product line', variable: 'product_line', required: true } },
      { select: { label: 'Language', variable: 'lang', options: ['en', 'zh'], default: 'en' } },
    ],
  }),
)

function StatefulComposer(props: Partial<ComposerProps> & { onSend: (asked: ComposerRequest) => void }) {
  const [draft, setDraft] = useState({ ...emptyComposerDraft, query: '' })
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <Composer
      app={{ id: 'key', mode: 'chat' }}
      version={{ canPin: false, workflow_id: null, setWorkflowId: () => undefined }}
      fields={[]}
      draft={draft}
      onDraft={(change) =>
        setDraft((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) }))
      }
      defaultUser="mira"
      conversationUser={null}
      conversation="first"
      fileRule={null}
      uploadKey={null}
      formerInputs={null}
      refusedInputs={null}
      parametersError={null}
      pendingRunId={null}
      isReady
      inputRef={field}
      {...props}
    />
  )
}
ignoreCompositionKeys(window)
serveApi(http.post('*/files/upload', () => delay('infinite')))

const field = () => screen.getByRole('textbox', { name: 'Your question' })
const write = (value: string) => fireEvent.change(field(), { target: { value } })

test('Enter sends, Shift and Enter begin a line, an IME keeps its Enter', async () => {
  const onSend = vi.fn()
  renderPage(<StatefulComposer onSend={onSend} />)
  await userEvent.type(field(), 'one{Shift>}{Enter}{/Shift}two')
  expect(field()).toHaveProperty('value', 'one\ntwo')
  for (const key of ['Enter', 'Escape'])
    for (const composition of [{ isComposing: true }, { keyCode: 229 }]) {
      fireEvent.keyDown(field(), { key, ...composition })
      fireEvent.keyDown(field(), { key, ctrlKey: true, ...composition })
    }
  expect(document.activeElement).toBe(field())
  expect(onSend).not.toHaveBeenCalled()
  await userEvent.type(field(), '{Enter}')
  expect(onSend).toHaveBeenCalledWith(expect.objectContaining({ query: 'one\ntwo' }))
})

test('where Enter does not send by choice, it begins a line, and mod and Enter send', async () => {
  const onSend = vi.fn()
  renderPage(<StatefulComposer onSend={onSend} />)
  await userEvent.click(screen.getByRole('button', { name: 'Enter sends' }))
  expect(screen.getByRole('button', { name: /^(Ctrl|⌘) Enter sends$/ })).toBeDefined()
  await userEvent.type(field(), 'one{Enter}two')
  expect(field()).toHaveProperty('value', 'one\ntwo')
  fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true })
  expect(onSend).toHaveBeenCalledWith({ query: 'one\ntwo', inputs: {}, user: 'mira', response_mode: 'streaming' })
  await userEvent.click(screen.getByRole('button', { name: /Enter sends$/ }))
})

test('the app’s inputs go along, and a required one that is empty is named', async () => {
  const onSend = vi.fn()
  renderPage(<StatefulComposer onSend={onSend} fields={controls} />)
  write('Why?')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.getByRole('alert').textContent).toBe('Product line is required.')
  await userEvent.type(screen.getByLabelText(/product_line/), 'EQ')
  await userEvent.selectOptions(screen.getByLabelText('lang'), 'zh')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(onSend.mock.calls).toEqual([[expect.objectContaining({ inputs: { product_line: 'EQ', lang: 'zh' } })]])
})

test('another user than the conversation’s is said, and sent as typed', async () => {
  const onSend = vi.fn()
  renderPage(<StatefulComposer onSend={onSend} conversationUser="jonas" />)
  expect(screen.getByLabelText('user')).toHaveProperty('value', 'jonas')
  await userEvent.clear(screen.getByLabelText('user'))
  await userEvent.type(screen.getByLabelText('user'), 'mira')
  expect(screen.getByText(/belongs to user jonas/)).toBeDefined()
  write('Why?')
  await userEvent.type(field(), '{Control>}{Enter}{/Control}')
  expect(onSend).toHaveBeenCalledWith(expect.objectContaining({ user: 'mira' }))
})

test('what is sent while an answer comes waits for its end, and stays in the field when that fails', async () => {
  const onSend = vi.fn()
  const listeners: ((run_id: string) => void)[] = []
  vi.spyOn(runStore, 'onEnd').mockImplementation((listener) => {
    listeners.push(listener)
    return () => false
  })
  const view = vi.spyOn(runStore, 'view')
  const end = (status: string) =>
    act(() => {
      view.mockReturnValue({ run: { status } } as unknown as ReturnType<typeof runStore.view>)
      listeners.at(-1)?.('run-1')
    })
  const { rerender } = renderPage(<StatefulComposer onSend={onSend} pendingRunId="run-1" />)
  write('And then?')
  await userEvent.type(field(), '{Control>}{Enter}{/Control}')
  expect(screen.getByRole('status').textContent).toBe('Sent when the answer above is complete.')
  expect(onSend).not.toHaveBeenCalled()
  end('interrupted')
  expect(onSend).not.toHaveBeenCalled()
  expect(field()).toHaveProperty('value', 'And then?')
  await userEvent.click(screen.getByRole('button', { name: 'Send next' }))
  end('succeeded')
  expect(onSend).toHaveBeenCalledOnce()
  rerender(<StatefulComposer onSend={onSend} pendingRunId={null} />)
  expect(screen.queryByRole('status')).toBeNull()
  vi.restoreAllMocks()
})

test('an app whose inputs the platform does not tell can be asked all the same', async () => {
  const onSend = vi.fn()
  const retry = vi.fn()
  renderPage(<StatefulComposer onSend={onSend} parametersError={{ reason: 'Not found', retry }} />)
  expect(screen.getByText(/inputs of this app could not be loaded: Not found/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(retry).toHaveBeenCalledOnce()
  write('Why?')
  await userEvent.type(field(), '{Control>}{Enter}{/Control}')
  expect(onSend).toHaveBeenCalledOnce()
})

test.each([
  ['the inputs of the app are known', { isReady: false }],
  ['a run is known to have ended before the page', { pendingRunId: 'run-1' }],
])('a question waits until %s, and is sent once', async (_, waits) => {
  const onSend = vi.fn()
  const { rerender } = renderPage(<StatefulComposer onSend={onSend} {...waits} />)
  write('Why?')
  await userEvent.type(field(), '{Control>}{Enter}{/Control}')
  expect(onSend).not.toHaveBeenCalled()
  rerender(<StatefulComposer onSend={onSend} />)
  await waitFor(() => expect(onSend).toHaveBeenCalledOnce())
})

test('a question that waits for the inputs of the app can be taken back', async () => {
  const onSend = vi.fn()
  const { rerender } = renderPage(<StatefulComposer onSend={onSend} isReady={false} />)
  write('Why?')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  rerender(<StatefulComposer onSend={onSend} />)
  await act(() => new Promise((resolve) => setTimeout(resolve, 10)))
  expect(onSend).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Send' })).toBeDefined()
})

test('files by URL go along, and one that is no URL is not taken', async () => {
  const onSend = vi.fn()
  renderPage(<StatefulComposer onSend={onSend} conversation={null} />)
  write('What is this?')
  await userEvent.click(screen.getByRole('button', { name: 'Files' }))
  expect(screen.getByText(/does not declare file inputs/)).toBeDefined()
  const url = await screen.findByRole('textbox', { name: 'URL of the file' })
  await userEvent.type(url, 'lamp.png{Enter}')
  expect(onSend).not.toHaveBeenCalled()
  await userEvent.clear(url)
  await userEvent.type(url, 'https://files.example/lamp.png{Enter}')
  await userEvent.click(screen.getByRole('checkbox'))
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  const files = [{ type: 'image', transfer_method: 'remote_url', url: 'https://files.example/lamp.png' }]
  expect(onSend).toHaveBeenCalledWith(expect.objectContaining({ files, auto_generate_name: false }))
})

test('a question that waits for an answer is not sent where another conversation is opened meanwhile', async () => {
  const onSend = vi.fn()
  const { rerender } = renderPage(<StatefulComposer onSend={onSend} pendingRunId="run" />)
  await userEvent.type(field(), 'Next?{Enter}')
  expect(screen.getByRole('button', { name: /waits|cancel/i })).toBeDefined()
  rerender(<StatefulComposer onSend={onSend} conversation="second" />)
  await act(() => Promise.resolve())
  expect(onSend).not.toHaveBeenCalled()
  rerender(<StatefulComposer onSend={onSend} conversation="first" />)
  await act(() => Promise.resolve())
  expect(onSend).not.toHaveBeenCalled()
})

test('a question waits for the file of an input that is still uploading, also while the inputs are folded', async () => {
  const onSend = vi.fn()
  const fields = toInputFields(
    AppParameters.parse({ user_input_form: [{ file: { label: 'Scan', variable: 'scan', required: false } }] }),
  )
  const { container } = renderPage(
    <StatefulComposer onSend={onSend} fields={fields} uploadKey="1d10d2e4-8669-4dfa-88c8-c11f02d6cd63" />,
  )
  await screen.findByRole('button', { name: 'Upload' })
  const input = container.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no file input')
  await userEvent.upload(input, new File(['tea'], 'tea.txt'))
  await userEvent.click(screen.getByRole('button', { name: 'Inputs' }))
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
  await userEvent.type(field(), 'one{Enter}')
  expect(onSend).not.toHaveBeenCalled()
  expect(screen.getByText(/^Some files are not uploaded yet/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true)
})
