import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { emptyComposerDraft, moveComposerDraft, nameDraftConversation, useComposerDraft } from './composerDraft.ts'

let apps = 0
let app: string
beforeEach(() => void (app = `app-${++apps}`))
const open = (conversation: string | null) => renderHook(() => useComposerDraft(app, conversation)).result

test('what is typed before a conversation has its id goes with it, once', () => {
  const fresh = open(null)
  act(() => fresh.current[1]({ query: 'And coffee?', response_mode: 'blocking' }))
  nameDraftConversation(app, 'c1')
  act(() => moveComposerDraft(app, 'c2'))
  expect(open('c2').current[0]).toEqual(emptyComposerDraft)
  act(() => moveComposerDraft(app, 'c1'))
  act(() => moveComposerDraft(app, 'c1'))
  expect(fresh.current[0]).toEqual(emptyComposerDraft)
  expect(open('c1').current[0]).toMatchObject({ query: 'And coffee?', response_mode: 'blocking' })
})

test('a reload finds the draft under the id in the URL, also before that id has rendered', () => {
  const stored = (conversation: string) => sessionStorage.getItem(`loupe-draft:${app}:${conversation}`)
  const fresh = open(null)
  act(() => fresh.current[1]({ query: 'And' }))
  expect(stored('new')).toContain('And')
  nameDraftConversation(app, 'c1')
  window.history.replaceState(null, '', '?conversation=c1')
  expect(stored('new')).toBeNull()
  expect(stored('c1')).toContain('And')
  act(() => fresh.current[1]({ query: 'And coffee?' }))
  expect(fresh.current[0].query).toBe('And coffee?')
  expect(stored('c1')).toContain('And coffee?')
  window.history.replaceState(null, '', '?')
  act(() => fresh.current[1]({ query: 'Another conversation' }))
  expect(stored('new')).toContain('Another conversation')
})

test('a change goes to the conversation that it was made for, wherever one is by then', () => {
  const { result, rerender } = renderHook(({ at }) => useComposerDraft(app, at), { initialProps: { at: 'c1' } })
  const [, changeFirst] = result.current
  rerender({ at: 'c2' })
  act(() => changeFirst(({ files }) => ({ files: [...files, { type: 'image', transfer_method: 'local_file' }] })))
  expect(result.current[0]).toEqual(emptyComposerDraft)
  rerender({ at: 'c1' })
  expect(result.current[0].files).toHaveLength(1)
})

test('a draft is kept outside of the page, and an empty one leaves nothing behind', () => {
  const draft = open('c1')
  act(() => draft.current[1]({ edit: { run_id: 'r', query: 'other words' } }))
  expect(sessionStorage.getItem(`loupe-draft:${app}:c1`)).toContain('other words')
  act(() => draft.current[1]({ edit: null }))
  expect(sessionStorage.getItem(`loupe-draft:${app}:c1`)).toBeNull()
})
