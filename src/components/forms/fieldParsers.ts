/** Converts form input to request values. An empty field is omitted. */
export const parseTextField = (input: string): string | undefined => input.trim() || undefined

/** NaN for invalid numbers, so that the schema reports the field. */
export const parseNumberField = (input: string): number | undefined => (input.trim() === '' ? undefined : Number(input))

export const parseBooleanField = (input: string): boolean | undefined => (input === '' ? undefined : input === 'true')

/** A separator is literal text; control characters are typed as `\n`, `\r` or `\t`. */
export const unescapeSeparator = (input: string): string =>
  input.replace(/\\([nrt])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? letter)

/** Removes undefined values, and objects that contain nothing else. */
export function compactObject(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(value)
    .map(([name, one]): [string, unknown] => [
      name,
      one !== null && typeof one === 'object' && !Array.isArray(one)
        ? compactObject(one as Record<string, unknown>)
        : one,
    ])
    .filter(([, one]) => one !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
