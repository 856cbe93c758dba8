import { z } from 'zod'
import type { FieldTable, FieldType } from './fieldTables.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isArrayOfType = (value: unknown, is: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is)

const TYPE_CHECKS: Record<FieldType, (value: unknown) => boolean> = {
  uuid: (value) => z.guid().safeParse(value).success,
  string: isText,
  integer: Number.isInteger,
  number: Number.isFinite,
  decimal: (value) => isText(value) && /^\d+(\.\d+)?$/.test(value),
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  'JSON object': (value) => isText(value) && isObject(parseJson(value)),
  strings: (value) => isArrayOfType(value, isText),
  objects: (value) => isArrayOfType(value, isObject),
  anything: () => true,
}

/** Lists the missing fields of a record and those of another type than the table's; null if all are right. */
export function findMisfit(table: FieldTable, value: unknown): string | null {
  if (!isObject(value)) return `is no record but ${toShortJson(value)}`
  const record = value as Record<string, unknown>
  const wrong = Object.entries(table).flatMap(([name, type]) => {
    if (!(name in record)) return [`${name} is missing`]
    const nullable = type.endsWith(' or null')
    if (nullable && record[name] === null) return []
    const plain = type.replace(' or null', '') as FieldType
    return TYPE_CHECKS[plain](record[name]) ? [] : [`${name} is no ${type} but ${toShortJson(record[name])}`]
  })
  return wrong.length > 0 ? wrong.join('; ') : null
}

export function toShortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
