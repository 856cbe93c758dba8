import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { IntlProvider } from 'use-intl'
import { emptyAnswer } from '#contract/answer.ts'
import { run } from '../../run/messages.ts'
import { aTurn } from '../../run/turn.testing.ts'
import { ui } from '../../ui/messages.ts'
import { AnswerDiff } from './AnswerDiff.tsx'
import { compareTexts } from './compare/text.ts'
import { FigureDiff } from './FigureDiff.tsx'
import { JsonDiff } from './JsonDiff.tsx'
import { runs } from './messages.ts'
import { SourceDiff } from './SourceDiff.tsx'

afterEach(() => vi.unstubAllGlobals())

test('inputs are told by their paths, each with what was and what is', () => {
  draw(<JsonDiff before={{ detail: 'short', gone: 1 }} after={{ detail: 'long', come: [true] }} label="Inputs" />)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'changeddetail"short" "long"',
    'removedgone1 ',
    'addedcome [true]',
  ])
})

test('figures stand side by side with their difference, and what was not given says so', () => {
  const turn = (completion_tokens: number, total_price: string | null, currency: string) =>
    aTurn({ answer: { ...emptyAnswer, usage: { completion_tokens, total_price, currency } } })
  draw(<FigureDiff before={turn(100, '0.5', 'USD')} after={turn(80, '0.25', 'RMB')} />)
  const row = (name: RegExp) => screen.getByRole('row', { name }).textContent
  expect(row(/^Completion tokens/)).toBe('Completion tokens10080−20')
  expect(row(/^Prompt tokens/)).toBe('Prompt tokensnot givennot given–')
  expect(row(/^Price/)).toBe('Price$0.50.25 RMBanother currency')
})

test('sources are gained and lost, and a score that was not given is not 0', () => {
  const source = { segment_id: 'a', document_name: 'Manual', segment_position: 4 }
  draw(<SourceDiff before={[{ ...source, score: 0.5 }]} after={[source, { segment_id: 'b', score: 0.25 }]} />)
  const [gained, kept] = screen.getAllByRole('listitem')
  expect(gained?.textContent).toContain('gaineddocument without a namescore 0.250')
  expect(kept?.textContent).toContain('keptManual segment 4score 0.500 → not given')
})

test('what only one answer has is marked, and a long part that both share is folded', async () => {
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
  draw(<AnswerDiff before={`${shared}It is cold.`} after={`${shared}It is warm.`} label="Answer" />)
  const region = await screen.findByRole('region', { name: 'Answer' })
  expect(region.querySelector('ins')?.textContent).toBe('warm')
  expect(region.querySelector('del')?.textContent).toBe('cold')
  expect(screen.getByText('4 characters added, 4 removed.')).toBeDefined()
  screen.getByRole('button', { name: /more characters, the same/ }).click()
  await vi.waitFor(() => expect(region.textContent).toContain(shared))
})

function draw(children: ReactNode) {
  render(
    <MantineProvider>
      <IntlProvider locale="en" messages={{ run, runs, ui }}>
        {children}
      </IntlProvider>
    </MantineProvider>,
  )
}
