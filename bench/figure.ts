/** One figure of one bench: what was measured, its value, and what it is held against in the same run. */
export interface Figure {
  bench: string
  what: string
  value: number
  unit: string
  against?: string
  goal?: string
}
