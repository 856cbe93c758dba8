import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { sampleTurn } from '../turn.testing.ts'
import { MetricDiff } from './MetricDiff.tsx'
import { JsonDiff } from './JsonDiff.tsx'
import { SourceDiff } from './SourceDiff.tsx'

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
    sampleTurn({ answer: { ...emptyAnswer, usage: { completion_tokens, total_price, currency } } })
  draw(<MetricDiff before={turn(100, '0.5', 'USD')} after={turn(80, '0.25', 'RMB')} />)
  const row = (name: RegExp) => screen.getByRole('row', { name }).textContent
  expect(row(/^Completion tokens/)).toBe('Completion tokens10080−20')
  expect(row(/^Prompt tokens/)).toBe('Prompt tokensnot givennot given–')
  expect(row(/^Price/)).toBe('Price$0.50.25 RMBdifferent currency')
})

test('sources are gained and lost, and a score that was not given is not 0', () => {
  const source = { segment_id: 'a', document_name: 'Manual', segment_position: 4 }
  draw(<SourceDiff before={[{ ...source, score: 0.5 }]} after={[source, { segment_id: 'b', score: 0.25 }]} />)
  const [gained, kept] = screen.getAllByRole('listitem')
  expect(gained?.textContent).toContain('gainedunnamed documentscore 0.250')
  expect(kept?.textContent).toContain('keptManual segment 4score 0.500 → not given')
})

function draw(children: ReactNode) {
  render(<MantineProvider>{children}</MantineProvider>)
}
