/** One measurement of a bench: its name, its value, and its reference in the same run. */
export interface Figure {
  bench: string
  what: string
  value: number
  unit: string
  against?: string
  goal?: string
}
