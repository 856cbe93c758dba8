import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach } from 'vitest'

/** What Mantine asks of a browser and jsdom does not have. */

class NoopObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

window.ResizeObserver ??= NoopObserver
window.HTMLElement.prototype.scrollIntoView ??= () => undefined
window.matchMedia ??= (media: string): MediaQueryList => ({
  matches: false,
  media,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => false,
})
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// A machine that is busy with something else is slow, not wrong; and a screen's chunk is compiled when it is first asked for.
configure({ asyncUtilTimeout: 60_000 })

afterEach(cleanup)

afterAll(() => {
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
