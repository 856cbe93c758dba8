import { expect, test, vi } from 'vitest'
import { KeyedListeners, Listeners } from './listeners.ts'

test('a listener that is added during a notification hears the next one', () => {
  const listeners = new Listeners()
  const late = vi.fn()
  const unsubscribe = listeners.subscribe(() => listeners.subscribe(late))
  listeners.notify()
  expect(late).not.toHaveBeenCalled()
  unsubscribe()
  listeners.notify()
  expect(late).toHaveBeenCalledOnce()
})

test('a key is known while it has listeners, and notifies only them', () => {
  const listeners = new KeyedListeners()
  const [one, other] = [vi.fn(), vi.fn()]
  const unsubscribe = listeners.subscribe('one', one)
  listeners.subscribe('other', other)
  listeners.notify('one')
  listeners.notify('unknown')
  expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 0])
  unsubscribe()
  expect([listeners.has('one'), listeners.has('other')]).toEqual([false, true])
  // A second call must not remove the listeners that were added since.
  listeners.subscribe('one', one)
  unsubscribe()
  expect(listeners.has('one')).toBe(true)
})
