import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
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

test.each(['wheel', 'touchMove', 'pointerDown', 'keyDown'] as const)(
  'a person who scrolls up by %s stays there',
  (action) => {
    render(<View />)
    grow(5_000)
    fireEvent[action](screen.getByTestId('view'))
    act(() => moveTo(top - 300))
    const stays = top
    grow(500)
    expect(top).toBe(stays)
    expect(screen.getByText('away')).toBeDefined()
    act(() => moveTo(height))
    expect(screen.getByText('following')).toBeDefined()
  },
)
