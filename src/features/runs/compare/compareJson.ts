import { asRecord } from '#domain/stream/untrustedJson.ts'
import { isSameNumber } from '#domain/losslessJson.ts'

/** One difference of two values: its path, and the value on each side. */
export type JsonChange =
  | { kind: 'added'; path: readonly (string | number)[]; after: unknown }
  | { kind: 'removed'; path: readonly (string | number)[]; before: unknown }
  | { kind: 'changed'; path: readonly (string | number)[]; before: unknown; after: unknown }

/** Deeper values are compared as a whole. */
const MAX_COMPARED_DEPTH = 64

/**
 * The differences of two JSON values: objects by key, arrays by index, anything else as a whole. Empty if they are
 * equal. Key order is ignored.
 */
export function compareJson(before: unknown, after: unknown): JsonChange[] {
  const changes: JsonChange[] = []
  compareValues(before, after, [], changes)
  return changes
}

function compareValues(before: unknown, after: unknown, path: (string | number)[], changes: JsonChange[]): void {
  if (Object.is(before, after) || isSameNumber(before, after)) return
  if (path.length < MAX_COMPARED_DEPTH && Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      compareEntry(index, index < before.length, index < after.length, before[index], after[index], path, changes)
    return
  }
  const [one, other] = [asRecord(before), asRecord(after)]
  if (path.length < MAX_COMPARED_DEPTH && one && other) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      compareEntry(key, Object.hasOwn(one, key), Object.hasOwn(other, key), one[key], other[key], path, changes)
    return
  }
  if (path.length >= MAX_COMPARED_DEPTH && JSON.stringify(before) === JSON.stringify(after)) return
  changes.push({ kind: 'changed', path, before, after })
}

function compareEntry(
  name: string | number,
  isBefore: boolean,
  isAfter: boolean,
  before: unknown,
  after: unknown,
  path: (string | number)[],
  changes: JsonChange[],
): void {
  const here = [...path, name]
  if (isBefore && isAfter) compareValues(before, after, here, changes)
  else if (isBefore) changes.push({ kind: 'removed', path: here, before })
  else changes.push({ kind: 'added', path: here, after })
}

/** Formats a path: `answer.files[0]["a b"]`; the root is `$`. */
export function formatJsonPath(path: readonly (string | number)[]): string {
  const parts = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) return `[${JSON.stringify(step)}]`
    return index === 0 ? step : `.${step}`
  })
  return path.length === 0 ? '$' : parts.join('')
}
