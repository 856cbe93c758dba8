/** What the platform counted; null where it did not say. */
export interface Measured {
  segments: number | null
  children: number | null
  tokens: number | null
}
