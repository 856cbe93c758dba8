import { isNumeric } from '#domain/losslessJson.ts'

/** The title of a run in a list: its question, else the texts and numbers among its inputs, else its inputs. */
export function getRunTitle({ query, inputs }: Record<string, unknown>): string {
  if (typeof query === 'string') return query
  const inputTexts = Object.values(inputs ?? {}).filter(
    (value) => isNumeric(value) || (typeof value === 'string' && value.trim() !== ''),
  )
  return inputTexts.length > 0 ? inputTexts.join(' · ') : JSON.stringify(inputs ?? {})
}
