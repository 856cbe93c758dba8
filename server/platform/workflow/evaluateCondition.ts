import type { NodeCondition } from './workflowGraph.ts'
import { toDisplayText } from './promptTemplate.ts'

/** Evaluates a condition for a value. Numbers are compared as numbers, all else as text. */
export function evaluateCondition({ operator, value }: NodeCondition, actual: unknown): boolean {
  switch (operator) {
    case 'empty':
      return isEmpty(actual)
    case 'not empty':
      return !isEmpty(actual)
    case 'is':
      return toDisplayText(actual) === toDisplayText(value)
    case 'is not':
      return toDisplayText(actual) !== toDisplayText(value)
    case 'contains':
      return containsValue(actual, value)
    case 'not contains':
      return !containsValue(actual, value)
    case '>':
      return Number(actual) > Number(value)
    case '<':
      return Number(actual) < Number(value)
    case '≥':
      return Number(actual) >= Number(value)
    case '≤':
      return Number(actual) <= Number(value)
  }
}

function isEmpty(actual: unknown): boolean {
  if (actual === null || actual === undefined || actual === '') return true
  return typeof actual === 'object' && Object.keys(actual).length === 0
}

const containsValue = (actual: unknown, value: NodeCondition['value']): boolean =>
  Array.isArray(actual)
    ? actual.some((item) => toDisplayText(item) === toDisplayText(value))
    : toDisplayText(actual).includes(toDisplayText(value))
