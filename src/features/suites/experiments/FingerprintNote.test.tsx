import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FingerprintNote } from './ExperimentResults.tsx'

const toMoment = (hash: string | null, unknown: string[] = []) => ({
  at: '2026-11-25T10:00:00.000Z',
  parameters: 'abcdef0123456789',
  versions: ['v2'],
  datasets: [{ dataset_id: '0123456789', hash, settings: null, documents: hash === null ? null : 2, unknown }],
})

test('says on what an experiment ran, and that it changed while it ran', () => {
  render(<FingerprintNote fingerprint={{ start: toMoment('1111222233'), end: toMoment('4444555566', ['segments']) }} />)
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items).toEqual([
    'Version that ran: v2.',
    'Parameters abcdef01.',
    'Dataset 01234567: 2 documents, state 44445555. It changed while the experiment ran. Not listed: segments.',
  ])
})

test('says of a dataset that could not be listed nothing more, and nothing where nothing was recorded', () => {
  const { rerender, container } = render(
    <FingerprintNote fingerprint={{ start: toMoment('1111222233'), end: toMoment(null, ['documents']) }} />,
  )
  expect(screen.getByText('Dataset 01234567: its documents could not be listed.')).toBeTruthy()
  rerender(<FingerprintNote fingerprint={{ start: null, end: null }} />)
  expect(container.textContent).toBe('')
})
