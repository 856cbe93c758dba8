const RAISED_CHARACTERS = '0123456789+-−=()ni'
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'

/** Raised (`^`) or lowered (`_`) text keeps its meaning: 10⁶, H₂O, x_max. The letters of 1st and ™ need no mark. */
export function toRaisedText(text: string, mark: '^' | '_'): string {
  const value = text.trim()
  const characters = mark === '^' ? SUPERSCRIPTS : SUBSCRIPTS
  const raised = [...value].map((character) => characters[RAISED_CHARACTERS.indexOf(character)] ?? '')
  if (raised.every((character) => character !== '')) return raised.join('')
  if (mark === '^' && /^\p{L}{2,3}$|^[^\p{L}\p{N}]*$/u.test(value)) return value
  return /^[\p{L}\p{N}]+$/u.test(value) ? mark + value : `${mark}(${value})`
}
