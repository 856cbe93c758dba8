import { toCompatibilityForm } from './compatibilityForm.ts'
import { removeInvisibleCharacters } from './samenessKey.ts'

/** Whether two texts say the same: case, width, spaces, what is invisible and the punctuation at the end do not count. */
export function toComparisonKey(text: string): string {
  const normalized = toCompatibilityForm(removeInvisibleCharacters(text)).toLowerCase().replace(/\s+/g, ' ').trim()
  // Nothing but punctuation is compared as it is.
  return normalized.replace(/(?<![\s\p{P}])[\s\p{P}]+$/u, '') || normalized
}

/** The numbers of a text in ascending order, each as it is written: what tells "sensor 5" from "sensor 7". */
const findNumbers = (text: string): string[] => (toCompatibilityForm(text).match(/\d+(?:[.,:]\d+)*/g) ?? []).sort()

/** Whether two texts have the same numbers, however often their wording differs. */
export const hasSameNumbers = (one: string, other: string): boolean =>
  findNumbers(one).join(' ') === findNumbers(other).join(' ')
