/** What was typed as what is sent. An empty field is not sent at all. */
export const textOf = (typed: string): string | undefined => typed.trim() || undefined

/** NaN for what is no number, so that the schema names the field. */
export const numberOf = (typed: string): number | undefined => (typed.trim() === '' ? undefined : Number(typed))

export const flagOf = (typed: string): boolean | undefined => (typed === '' ? undefined : typed === 'true')

/** A separator is literal text; what a line cannot hold is typed as `\n`, `\r` or `\t`. */
export const separatorOf = (typed: string): string =>
  typed.replace(/\\([nrt])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? letter)

/** Leaves out what is undefined, and objects that hold nothing else. */
export function compact(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const kept = Object.entries(value)
    .map(([name, one]): [string, unknown] => [
      name,
      one !== null && typeof one === 'object' && !Array.isArray(one) ? compact(one as Record<string, unknown>) : one,
    ])
    .filter(([, one]) => one !== undefined)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
