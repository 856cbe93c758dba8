/** What a run is called in a list: its question; else the words and figures among its inputs, else the inputs themselves. */
export function titleOf({ query, inputs }: Record<string, unknown>): string {
  if (typeof query === 'string') return query
  const said = Object.values(inputs ?? {}).filter(
    (value) => typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''),
  )
  return said.length > 0 ? said.join(' · ') : JSON.stringify(inputs ?? {})
}
