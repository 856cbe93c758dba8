import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { compareTexts } from './compareTexts.ts'
import { TextDiff } from './TextDiff.tsx'

afterEach(() => vi.unstubAllGlobals())

test('what only one text has is marked, and a long part that both share is folded', async () => {
  // jsdom has no workers: this one answers from the same function in the same thread.
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: ((event: { data: unknown }) => void) | null = null
      postMessage({ before, after }: { before: string; after: string }) {
        queueMicrotask(() => this.onmessage?.({ data: compareTexts(before, after) }))
      }
      terminate() {
        this.onmessage = null
      }
    },
  )
  const shared = 'The lamp lasts long. '.repeat(200)
  render(
    <MantineProvider>
      <TextDiff before={`${shared}It is cold.`} after={`${shared}It is warm.`} label="Answer" />
    </MantineProvider>,
  )
  const region = await screen.findByRole('group', { name: 'Answer' })
  expect(region.querySelector('ins')?.textContent).toBe('warm')
  expect(region.querySelector('del')?.textContent).toBe('cold')
  expect(screen.getByRole('figure').textContent).toContain('+4 −4 characters')
  screen.getByRole('button', { name: /more unchanged characters/ }).click()
  await vi.waitFor(() => expect(region.textContent).toContain(shared))
})
