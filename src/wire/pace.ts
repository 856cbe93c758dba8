/** The page's clock and its next moments. A hidden tab has no animation frames, so `frame` calls back there all the same. */
export interface PaceConditions {
  now: () => number
  after: (delay: number, then: () => void) => void
  /** Before the next picture is drawn. */
  frame: (then: () => void) => void
  /** After that picture has been drawn. */
  drawn: (then: () => void) => void
}

/** Milliseconds between two drawings, at least: nobody reads more than 25 of them a second. */
const GAP = 40
/** Of the time, drawing takes this part at most; the rest is for the person's own deeds. */
const SHARE = 1 / 4

/**
 * Says when to draw what comes all the time: soon, but never so often that the page is busy with nothing else. What one
 * drawing took tells how long to wait for the next one.
 */
export class Pace {
  readonly #conditions: PaceConditions
  #next = 0

  constructor(conditions: PaceConditions) {
    this.#conditions = conditions
  }

  soon(draw: () => void): void {
    const { now, after, frame, drawn } = this.#conditions
    const wait = this.#next - now()
    const begin = () =>
      frame(() => {
        const began = now()
        draw()
        drawn(() => {
          this.#next = began + Math.max(GAP, (now() - began) / SHARE)
        })
      })
    if (wait > 0) after(wait, begin)
    else begin()
  }
}

/** The pace of this page. */
export const pace = new Pace({
  now: () => performance.now(),
  after: (delay, then) => void setTimeout(then, delay),
  frame: (then) => {
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
  drawn: (then) => void setTimeout(then),
})
