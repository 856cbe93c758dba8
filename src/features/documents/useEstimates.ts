import { useState } from 'react'
import type { Estimate } from '#contract/estimate.ts'
import { type Estimated, estimateOf, type Sent } from '../../lab/estimated.ts'

/** What the lab beside a form has estimated, until something is sent. */
export interface Estimates {
  note: (estimated: Estimated) => void
  /** The estimate of what is being sent; null where the lab has cut something else, or by another rule. */
  of: (source: File | string, sent: Sent) => Estimate | null
}

/** Each file that was looked at has its own; of the text the last one stands. */
export const useEstimates = (): Estimates => useState(newEstimates)[0]

function newEstimates(): Estimates {
  const files = new WeakMap<File, Estimated>()
  let text: Estimated | null = null
  return {
    note: (estimated) => {
      if (estimated.source instanceof File) files.set(estimated.source, estimated)
      else text = estimated
    },
    of: (source, sent) => estimateOf(source instanceof File ? (files.get(source) ?? null) : text, source, sent),
  }
}
