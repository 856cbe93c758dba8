/** The page's clock and its next moments. A hidden tab has no animation frames, so `frame` calls back there all the same. */
export interface RenderThrottleDeps {
  now: () => number
  setTimer: (delay: number, then: () => void) => void
  /** Before the next picture is drawn. */
  beforePaint: (then: () => void) => void
  /** After that picture has been drawn. */
  afterPaint: (then: () => void) => void
}

/** Milliseconds between two drawings, at least: nobody reads more than 25 of them a second. */
const MIN_RENDER_INTERVAL_MS = 40
/** Of the time, drawing takes this part at most; the rest is for the person's own deeds. */
const MAX_RENDER_TIME_SHARE = 1 / 4

/**
 * Says when to draw what comes all the time: soon, but never so often that the page is busy with nothing else. What one
 * drawing took tells how long to wait for the next one.
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

/** The pace of this page. */
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
