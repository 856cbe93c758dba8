import { startTransition, useEffect, useState } from 'react'
import type { LabChunk, Setting } from './cutting.ts'
import { type Figures, figuresOf, type Totals } from './figures.ts'
import { ask } from './thread.ts'

export interface CutView {
  /** What was cut, as it was given. */
  of: { text: string; setting: Setting } | null
  /** The text after the pre-processing; the places of the chunks are in it. */
  text: string
  chunks: readonly LabChunk[]
  figures: Figures
  /** How much of the text is cut, 0 to 1. */
  share: number
  isDone: boolean
  /** Milliseconds of the worker's work. */
  took: number | null
  /** Once it is done. */
  totals: Totals | null
  problem: string | null
}

export const nothingCut: CutView = {
  of: null,
  text: '',
  chunks: [],
  figures: figuresOf([]),
  share: 0,
  isDone: false,
  took: null,
  totals: null,
  problem: null,
}

/** Cuts a text in the worker; what was asked before is given up. The chunks come in parts, the first at once. */
export function useCut(text: string, setting: Setting | null): CutView {
  const [view, setView] = useState(nothingCut)
  const asked = setting && JSON.stringify(setting)
  useEffect(() => {
    if (!asked || text === '') return
    const of = { text, setting: JSON.parse(asked) as Setting }
    let next: CutView = { ...nothingCut, of }
    return ask({ kind: 'cut', ...of }, (told) => {
      if (told.kind === 'tidied') {
        next = { ...next, text: told.text }
        return
      }
      if (told.kind === 'chunks') {
        const { chunks, figures, at } = told
        next = { ...next, chunks: next.chunks.concat(chunks), figures, share: at / Math.max(1, next.text.length) }
      }
      if (told.kind === 'done') next = { ...next, isDone: true, share: 1, took: told.took, totals: told.totals }
      if (told.kind === 'failed') next = { ...next, problem: told.reason }
      startTransition(() => setView(next))
    })
  }, [text, asked])
  return text === '' || !asked ? nothingCut : view
}
