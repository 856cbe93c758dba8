/** The page's clock and scheduler. Hidden tabs get no animation frames, so `frame` falls back to a timer. */
export interface RenderThrottleDeps {
  now: () => number
  setTimer: (delay: number, then: () => void) => void
  /** Before the next paint. */
  beforePaint: (then: () => void) => void
  /** After that paint. */
  afterPaint: (then: () => void) => void
}

/** Minimum ms between renders (25 per second). */
const MIN_RENDER_INTERVAL_MS = 40
/** Maximum share of time for rendering; the rest is for input. */
const MAX_RENDER_TIME_SHARE = 1 / 4

/**
 * Throttles rendering of streamed data: soon, but never so often that the page is busy. The delay adapts to the
 * duration of the last render.
 */
export class RenderThrottle {
  readonly #deps: RenderThrottleDeps
  #nextRenderAt = 0

  constructor(conditions: RenderThrottleDeps) {
    this.#deps = conditions
  }

  schedule(draw: () => void): void {
    const { now, setTimer, beforePaint, afterPaint } = this.#deps
    const wait = this.#nextRenderAt - now()
    const begin = () =>
      beforePaint(() => {
        const began = now()
        draw()
        afterPaint(() => {
          this.#nextRenderAt = began + Math.max(MIN_RENDER_INTERVAL_MS, (now() - began) / MAX_RENDER_TIME_SHARE)
        })
      })
    if (wait > 0) setTimer(wait, begin)
    else begin()
  }
}

/** The render throttle of this page. */
export const renderThrottle = new RenderThrottle({
  now: () => performance.now(),
  setTimer: (delay, then) => void setTimeout(then, delay),
  beforePaint: (then) => {
    let done = false
    const once = () => {
      if (done) return
      done = true
      cancelAnimationFrame(request)
      clearTimeout(timer)
      then()
    }
    const request = requestAnimationFrame(once)
    const timer = setTimeout(once, 250)
  },
  afterPaint: (then) => void setTimeout(then),
})
