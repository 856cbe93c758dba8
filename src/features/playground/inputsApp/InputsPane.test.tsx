import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { AppParameters } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { InputsPane, type InputsPaneProps } from './InputsPane.tsx'

const PARAMETERS = {
  user_input_form: [{ paragraph: { label: 'Text', variable: 'text', required: true } }],
} as unknown as AppParameters

function renderPane(props: Pick<InputsPaneProps, 'parameters' | 'refusal'>) {
  const onRun = vi.fn()
  const pane = (changed: Partial<InputsPaneProps> = {}) => (
    <MantineProvider>
      <MemoryRouter>
        <InputsPane
          entry="workflows.run"
          app={{ id: 'key', offers: [] } as unknown as Key}
          draft={{ filled: {}, files: [], user: null, response_mode: 'streaming', parent: null }}
          onDraft={() => undefined}
          defaultUser="mira"
          refusedRun={null}
          onRun={onRun}
          version={{ canPin: false, workflow_id: null, setWorkflowId: () => undefined }}
          {...props}
          {...changed}
        />
      </MemoryRouter>
    </MantineProvider>
  )
  const { rerender } = render(pane())
  return { onRun, change: (changed: Partial<InputsPaneProps>) => rerender(pane(changed)) }
}
const runButton = () => screen.getByRole('button', { name: 'Run' })

test.each([
  ['a click', () => fireEvent.click(runButton())],
  ['the keys', () => fireEvent.keyDown(runButton(), { key: 'Enter', ctrlKey: true })],
])('a run that is started by %s before the form is known waits for it', async (_, start) => {
  const { onRun, change } = renderPane({ parameters: undefined, refusal: null })
  start()
  expect(onRun).not.toHaveBeenCalled()
  change({ parameters: PARAMETERS })
  expect(await screen.findByText('Text is required.')).toBeDefined()
  expect(onRun).not.toHaveBeenCalled()
})

test('an app whose form cannot be loaded can still be run', () => {
  const { onRun } = renderPane({ parameters: undefined, refusal: { reason: 'Not found', retry: () => undefined } })
  fireEvent.click(runButton())
  expect(onRun).toHaveBeenCalledWith({ inputs: {}, user: 'mira', response_mode: 'streaming' }, null)
})

test('inputs that the platform refused are an error at their field, until the field is changed', () => {
  const refusedRun = { run_id: 'run-1', message: 'text is required in input form' }
  const { change } = renderPane({ parameters: PARAMETERS, refusal: null })
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

test('a refusal that names no field of the form is no error at any field', () => {
  const { change } = renderPane({ parameters: PARAMETERS, refusal: null })
  change({ refusedRun: { run_id: 'run-1', message: 'name is required in input form' } })
  expect(screen.queryByRole('alert')).toBeNull()
})
