import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { SendWhenAvailable, useWhenAvailable } from './SendWhenAvailable.tsx'
import { renderPage } from '../../../client/page.testing.tsx'

const indexed = { id: 'd', indexing_status: 'completed', display_status: 'available' } as DocumentRecord
const under = { id: 'd', indexing_status: 'splitting', display_status: 'indexing' } as DocumentRecord
const disabled = { ...indexed, display_status: 'disabled' } as DocumentRecord

test('what is available, or of which nothing is said, is sent at once', async () => {
  for (const record of [indexed, null]) {
    const { sent, unmount } = draw(record)
    await userEvent.click(screen.getByRole('button', { name: 'Save it' }))
    expect(sent.times).toBe(1)
    unmount()
  }
})

test('what is being indexed is waited for, and sent once when it is available', async () => {
  const { sent, now } = draw(under)
  expect(screen.getByRole('status').textContent).toContain('until it is available')
  await userEvent.click(screen.getByRole('button', { name: 'Send when available' }))
  expect([sent.times, screen.queryByRole('button', { name: 'Send when available' })]).toEqual([0, null])
  now(indexed)
  expect(sent.times).toBe(1)
  now(under)
  now(indexed)
  expect(sent.times).toBe(1)
})

test('who does not wait any longer has nothing sent', async () => {
  const { sent, now } = draw(under)
  await userEvent.click(screen.getByRole('button', { name: 'Send when available' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel waiting' }))
  now(indexed)
  expect(sent.times).toBe(0)
})

test('what does not become available by itself is not waited for, and can be sent all the same', async () => {
  const { sent } = draw(disabled)
  expect(screen.getByRole('status').textContent).toContain('will not become available by itself')
  expect(screen.queryByRole('button', { name: 'Send when available' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send now anyway' }))
  expect(sent.times).toBe(1)
})

function draw(record: DocumentRecord | null) {
  const sent = { times: 0 }
  const form = (one: DocumentRecord | null) => <TestForm record={one} onSend={() => void sent.times++} />
  const { rerender, unmount } = renderPage(form(record))
  return { sent, unmount, now: (next: DocumentRecord) => rerender(form(next)) }
}

function TestForm({ record, onSend }: { record: DocumentRecord | null; onSend: () => void }) {
  const waiting = useWhenAvailable(record, onSend)
  return <SendWhenAvailable waiting={waiting} record={record} label="Save it" isPending={false} className={undefined} />
}
