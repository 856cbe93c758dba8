import { isSameText } from '../samenessKey.ts'
import { asJson, asRecord } from '../stream/untrustedJson.ts'
import { isSameNumber, parseLosslessJson } from '../losslessJson.ts'

/** The JSON of a text; undefined if it is not JSON. */
export function parseJsonText(text: string): unknown {
  try {
    return asJson(parseLosslessJson(text))
  } catch {
    return undefined
  }
}

/** Whether two JSON values are equal; the order of fields does not count. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isEqualJson(value, other[index]))
  const [ours, theirs] = [asRecord(one), asRecord(other)]
  if (typeof one === 'string' && typeof other === 'string') return isSameText(one, other)
  if (!ours || !theirs) return one === other || isSameNumber(one, other)
  const names = Object.keys(ours)
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && isEqualJson(ours[name], theirs[name]))
  )
}

/**
 * The values at a JSONPath of names, places and wildcards: `$.a.b`, `$['a b']`, `$.list[0]`, `$.list[-1]`, `$.list[*].id`.
 * Null for any other path: filters and `..` are not read.
 */
export function findJsonPath(root: unknown, path: string): unknown[] | null {
  const steps = parseJsonPath(path)
  return steps && steps.reduce<unknown[]>((values, step) => values.flatMap((value) => takeStep(value, step)), [root])
}

type PathStep = string | number | typeof WILDCARD
const WILDCARD = Symbol('*')

const STEP_PATTERN =
  /\.\*|\[\*\]|\.(?<name>[^.[\]'"*\s]+)|\[(?<index>-?\d+)\]|\['(?<single>[^']*)'\]|\["(?<double>[^"]*)"\]/y

function parseJsonPath(path: string): PathStep[] | null {
  if (!path.startsWith('$')) return null
  const steps: PathStep[] = []
  for (let at = 1; at < path.length;) {
    STEP_PATTERN.lastIndex = at
    const match = STEP_PATTERN.exec(path)
    if (!match) return null
    const { name, index, single, double } = match.groups ?? {}
    steps.push(index === undefined ? (name ?? single ?? double ?? WILDCARD) : Number(index))
    at += match[0].length
  }
  return steps
}

/** The value that a step leads to, or all of a wildcard; nothing where there is none. */
function takeStep(value: unknown, step: PathStep): unknown[] {
  if (Array.isArray(value)) {
    if (step === WILDCARD) return value as unknown[]
    const at = typeof step === 'number' ? (step < 0 ? value.length + step : step) : -1
    return at >= 0 && at < value.length ? [value[at]] : []
  }
  const record = asRecord(value)
  if (!record) return []
  if (step === WILDCARD) return Object.values(record)
  return Object.hasOwn(record, step) ? [record[step]] : []
}

export const PATH_MESSAGE = 'must be a JSONPath of names, places and wildcards, as `$.a.b[0]`'

export const isReadablePath = (path: string | undefined): boolean =>
  path === undefined || findJsonPath(null, path) !== null

/** The position of the bracket that closes the one at `start`, outside of strings; -1 without one. */
export function findJsonEnd(text: string, start: number): number {
  let depth = 0
  let isInString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return -1
}
