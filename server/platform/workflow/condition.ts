import type { Condition } from './graph.ts'
import { show } from './template.ts'

/** Whether a condition holds for the value that it looks at. Numbers are compared as numbers, all else as text. */
export function holds({ operator, value }: Condition, found: unknown): boolean {
  switch (operator) {
    case 'empty':
      return isEmpty(found)
    case 'not empty':
      return !isEmpty(found)
    case 'is':
      return show(found) === show(value)
    case 'is not':
      return show(found) !== show(value)
    case 'contains':
      return contains(found, value)
    case 'not contains':
      return !contains(found, value)
    case '>':
      return Number(found) > Number(value)
    case '<':
      return Number(found) < Number(value)
    case '≥':
      return Number(found) >= Number(value)
    case '≤':
      return Number(found) <= Number(value)
  }
}

function isEmpty(found: unknown): boolean {
  if (found === null || found === undefined || found === '') return true
  return typeof found === 'object' && Object.keys(found).length === 0
}

const contains = (found: unknown, value: Condition['value']): boolean =>
  Array.isArray(found) ? found.some((item) => show(item) === show(value)) : show(found).includes(show(value))
