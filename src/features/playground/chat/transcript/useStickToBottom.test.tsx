import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { REVEAL_EVENT } from '../../../../components/markdown/FrameHighlight.tsx'
import { useStickToBottom } from './useStickToBottom.ts'

const VIEW_HEIGHT_PX = 400
let height = 1_000
let top = 0
let onResize: () => void = () => undefined

beforeEach(() => {
  height = 1_000
  top = 0
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        onResize = callback
      }
      observe = () => undefined
      disconnect = () => undefined
    },
  )
})

/** jsdom lays nothing out: the only scrollable element of the test has these numbers. */
Object.defineProperties(HTMLDivElement.prototype, {
  scrollHeight: { configurable: true, get: () => height },
  clientHeight: { configurable: true, get: () => VIEW_HEIGHT_PX },
  scrollTop: { configurable: true, get: () => top },
  scrollTo: { configurable: true, value: ({ top: to }: { top: number }) => moveTo(to) },
})

function View() {
  const { view, content, isAway } = useStickToBottom('one')
  return (
    <div ref={view} data-testid="view">
      <div ref={content}>{isAway ? 'away' : 'following'}</div>
      <button>Stop run</button>
      <textarea />
    </div>
  )
}

/** What a browser does: no further than the end, and with an event. */
const moveTo = (to: number) => {
  top = Math.min(to, height - VIEW_HEIGHT_PX)
  const view = screen.queryByTestId('view')
  if (view) fireEvent.scroll(view)
}
const grow = (by: number) =>
  act(() => {
    height += by
    onResize()
  })

test('content that is laid out late moves the view, and the view still follows', () => {
  render(<View />)
  grow(5_000)
  // The browser keeps what is above in place: the view moves up although nobody scrolled.
  act(() => {
    height += 900
    moveTo(top - 300)
  })
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'a' })
  act(() => moveTo(top - 10))
  expect(screen.getByText('following')).toBeDefined()
  grow(100)
  expect(top).toBe(height - VIEW_HEIGHT_PX)
})

test('pressing a button, by mouse or key, is no wish to leave the end, though the view moves then', () => {
  render(<View />)
  grow(5_000)
  const button = screen.getByRole('button', { name: 'Stop run' })
  for (const [press, release] of [['pointerDown', 'pointerUp'], ['keyDown', 'keyUp']] as const) {
    fireEvent[press](button, { key: ' ' })
    act(() => moveTo(top - 235))
    fireEvent[release](button, { key: ' ' })
    act(() => moveTo(top - 79))
    expect(screen.getByText('following')).toBeDefined()
    grow(10)
    expect(top).toBe(height - VIEW_HEIGHT_PX)
  }
}) // prettier-ignore

test('a frame whose words are shown is a wish to leave the end', () => {
  render(<View />)
  grow(5_000)
  fireEvent(screen.getByText('following'), new Event(REVEAL_EVENT, { bubbles: true }))
  act(() => moveTo(top - 900))
  expect(screen.getByText('away')).toBeDefined()
})

test.each(['wheel', 'touchMove', 'pointerDown', 'keyDown'] as const)(
  'a person who scrolls up by %s stays there',
  (action) => {
    render(<View />)
    grow(5_000)
    fireEvent[action](screen.getByTestId('view'), { key: 'PageUp' })
    act(() => moveTo(top - 300))
    const stays = top
    grow(500)
    expect(top).toBe(stays)
    expect(screen.getByText('away')).toBeDefined()
    act(() => moveTo(height))
    expect(screen.getByText('following')).toBeDefined()
  },
)
