import { toCompatibilityForm } from './compatibilityForm.ts'
import { removeInvisibleCharacters } from './samenessKey.ts'

/** Whether two texts are equal apart from case, width, spaces, invisible characters and final punctuation. */
export function toComparisonKey(text: string): string {
  const normalized = toCompatibilityForm(removeInvisibleCharacters(text)).toLowerCase().replace(/\s+/g, ' ').trim()
  // A text of only punctuation is compared unchanged.
  return normalized.replace(/(?<![\s\p{P}])[\s\p{P}]+$/u, '') || normalized
}

/** The numbers of a text in ascending order, as written: they distinguish "sensor 5" from "sensor 7". */
const findNumbers = (text: string): string[] => (toCompatibilityForm(text).match(/\d+(?:[.,:]\d+)*/g) ?? []).sort()

/** Whether two texts contain the same numbers, whatever their wording. */
export const hasSameNumbers = (one: string, other: string): boolean =>
  findNumbers(one).join(' ') === findNumbers(other).join(' ')
