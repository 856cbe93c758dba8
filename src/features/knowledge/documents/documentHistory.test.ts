import { expect, test } from 'vitest'
import { makeCall } from '../../../client/runRow.testing.ts'
import { toDocumentHistory } from './documentHistory.ts'

const call = (entry: string, minute: number, request: unknown) =>
  makeCall({ id: `${entry}.${minute}`, entry, created_at: `2026-11-21T12:${minute}:00Z`, request })

test('the last text is the newest that was sent, whatever came to its chunks since', () => {
  const history = toDocumentHistory([
    call('segments.updateChildChunk', 40, { content: 'mended' }),
    call('documents.updateByText', 30, { name: 'n', text: 'second' }),
    call('segments.updateChildChunk', 20, { content: 'gone already' }),
    call('documents.createByText', 10, { name: 'n', text: 'first' }),
  ])
  expect(history).toMatchObject({ text: 'second', sentAt: '2026-11-21T12:30:00Z', supersededBy: null })
  expect(history.edits.map(({ text }) => text)).toEqual(['mended'])
})

test('a file that was sent after the text is told, and discards the edits before it', () => {
  const history = toDocumentHistory([
    call('segments.createChildChunk', 40, { content: 'after the file' }),
    call('documents.updateByFile', 30, null),
    call('adjacent.updateSegment', 20, { segment: { content: 'before' } }),
    call('documents.createByText', 10, { name: 'n', text: 'first' }),
  ])
  expect(history).toMatchObject({ text: 'first', supersededBy: '2026-11-21T12:30:00Z' })
  expect(history.edits.map(({ text }) => text)).toEqual(['after the file'])
})

test('a document that was never sent from here has no text, and all its edits count', () => {
  const edits = [call('adjacent.updateSegment', 20, { segment: { content: 'a' } })]
  expect(toDocumentHistory(edits)).toMatchObject({ text: null, sentAt: null, edits: [{ text: 'a' }] })
  expect(toDocumentHistory([])).toMatchObject({ text: null, edits: [] })
})
