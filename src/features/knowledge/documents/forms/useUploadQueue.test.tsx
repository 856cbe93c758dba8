import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import { DOCUMENT_KINDS } from '#domain/documentReading/documentKinds.ts'
import { listDocumentKinds, recordRefusedKind } from './documentFile.ts'
import { useUploadQueue } from './useUploadQueue.ts'
import { makePageWrapper } from '../../../../client/page.testing.tsx'
import { makeWorkspace } from '../../../../client/session.testing.ts'

interface Sending {
  name: string
  onProgress: (progress: { sent: number; total: number }) => void
  resolve: () => void
  reject: (error: unknown) => void
}

const text = (name: string, content = 'words') => new File([content], name, { type: 'text/plain' })
const states = (uploads: { file: File; state: string }[]) => uploads.map(({ file, state }) => [file.name, state])

test('files go two at once, and what fails or is cancelled is no other’s', async () => {
  const { sending, hook } = open()
  act(() => hook.result.current.add([text('a.txt'), text('b.txt'), text('c.txt'), text('d.txt')]))
  act(() => hook.result.current.start())
  expect(sending.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
  act(() => sending[0]?.onProgress({ sent: 2, total: 5 }))
  expect(hook.result.current.uploads[0]).toMatchObject({ state: 'sending', sentBytes: 2, totalBytes: 5 })

  // The line breaks in the middle of the first.
  await act(async () => sending[0]?.reject(new ProblemError({ kind: 'unreachable', message: 'cut' })))
  act(() => hook.result.current.cancel(4))
  act(() => hook.result.current.cancel(2))
  await act(async () => sending[2]?.resolve())
  expect(states([...hook.result.current.uploads])).toEqual([
    ['a.txt', 'failed'],
    ['b.txt', 'cancelled'],
    ['c.txt', 'done'],
    ['d.txt', 'cancelled'],
  ])
  expect(hook.result.current.isBusy).toBe(false)
  expect(hook.result.current.uploads[0]?.problem).toMatchObject({ message: 'cut' })

  act(() => hook.result.current.start(1))
  await act(async () => sending[3]?.resolve())
  expect(states([...hook.result.current.uploads])[0]).toEqual(['a.txt', 'done'])
})

test('a second click before the next render sends no file twice', async () => {
  const { sending, hook } = open()
  act(() => hook.result.current.add([text('a.txt'), text('b.txt'), text('c.txt')]))
  act(() => {
    const { start } = hook.result.current
    start()
    start()
    start(3)
  })
  for (const index of [0, 1, 2, 3, 4]) await act(async () => sending[index]?.resolve())
  expect(sending.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'c.txt'])
})

test('what is likely to be refused waits for a word', () => {
  const { sending, hook } = open()
  act(() => hook.result.current.add([text('tool.exe'), text('empty.txt', ''), text('a.md')]))
  act(() => hook.result.current.start())
  expect(sending.map(({ name }) => name)).toEqual(['a.md'])
  expect(hook.result.current.uploads.map(({ fileError }) => fileError)).toEqual(['kind', 'empty', null])
  act(() => hook.result.current.start(1))
  expect(sending.map(({ name }) => name)).toEqual(['a.md', 'tool.exe'])
})

test('nothing more is sent when the form was left', async () => {
  const { sending, hook } = open()
  act(() => hook.result.current.add([text('a.txt'), text('b.txt'), text('c.txt')]))
  act(() => hook.result.current.start())
  hook.unmount()
  await act(async () => sending[0]?.resolve())
  expect(sending.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
})

test('the kinds of a platform are known for the built-in one, and learned from what another refuses', () => {
  const workspace = makeWorkspace()
  const refuse = (name: string, status: number) =>
    recordRefusedKind(workspace, name, { kind: 'refused', message: '', upstream: { status, body: '' } })
  expect(listDocumentKinds(workspace)).toContain('xls')
  refuse('Plan.XLS', 415)
  refuse('large.md', 413)
  expect(listDocumentKinds(workspace)).not.toContain('xls')
  expect(listDocumentKinds(workspace)).toContain('md')
  expect(listDocumentKinds({ ...workspace, id: 'other' })).toContain('xls')
  expect(listDocumentKinds({ ...workspace, builtin: true })).toBe(DOCUMENT_KINDS)
})

/** The hook, and what it has sent so far. */
function open() {
  const sending: Sending[] = []
  const hook = renderHook(
    () =>
      useUploadQueue(
        optionalDocumentEndpoints.createByFile,
        ({ name }, { signal, onProgress }) =>
          new Promise<void>((resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')))
            sending.push({ name, onProgress, resolve, reject })
          }),
      ),
    { wrapper: makePageWrapper() },
  )
  return { sending, hook }
}
