import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import type { AppParameters } from '#contract/platform/workflows.ts'
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
