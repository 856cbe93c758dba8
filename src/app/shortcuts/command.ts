import type { ComponentType } from 'react'
import type { Problem } from '#contract/problem.ts'

/** One row of the command palette. */
export interface Command {
  id: string
  group: string
  label: string
  hint?: string
  icon: ComponentType<{ size: number }>
  run: () => void
}

/** What the command palette shows for a text. */
export interface CommandList {
  commands: Command[]
  /** A note on the text: nothing was found, or the id is unknown here. */
  note: string | null
  problem: Problem | null
}
