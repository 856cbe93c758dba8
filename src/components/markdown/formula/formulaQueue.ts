import type { renderFormula } from './formulaRenderer.ts'

/** How long formulas may be rendered at a time; the page responds to input between two slices (ms). */
const SLICE_MS = 10

type Render = typeof renderFormula

/** Renders formulas in slices of time, once the library is loaded. */
class FormulaQueue {
  #render: Render | null = null
  #isLoading = false
  #isScheduled = false
  #spentMs = 0
  readonly #waiting = new Set<(render: Render) => void>()

  /** Calls `draw` at once if there is time in this slice, else later. @returns a function that cancels it */
  add(draw: (render: Render) => void): () => void {
    if (this.#render && this.#spentMs < SLICE_MS) this.#run(this.#render, draw)
    else this.#waiting.add(draw)
    if (!this.#render) this.#load()
    this.#schedule()
    return () => void this.#waiting.delete(draw)
  }

  /** If the library does not load, formulas stay source; the next one tries again. */
  #load(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    void import('./formulaRenderer.ts')
      .then((library) => {
        this.#render = library.renderFormula
        this.#schedule()
      })
      .catch(() => undefined)
      .finally(() => (this.#isLoading = false))
  }

  #run(render: Render, draw: (render: Render) => void): void {
    const startedAt = performance.now()
    draw(render)
    this.#spentMs += performance.now() - startedAt
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => {
      this.#isScheduled = false
      this.#spentMs = 0
      if (!this.#render) return
      for (const draw of this.#waiting) {
        if (this.#spentMs >= SLICE_MS) return this.#schedule()
        this.#waiting.delete(draw)
        this.#run(this.#render, draw)
      }
    })
  }
}

export const formulaQueue = new FormulaQueue()
