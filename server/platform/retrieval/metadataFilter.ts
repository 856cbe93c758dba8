import type { Pool } from 'pg'
import {
  DOCUMENT_VALUES_SQL,
  toDocumentValues,
  type BuiltInSource,
  type MetadataValue,
  type MetadataValueRow,
} from '../datasets/metadata/metadataRecord.ts'
import { type MetadataCondition, type MetadataFilterInput, parseConditions } from './metadataConditions.ts'
import { FINDABLE_DOCUMENT_SQL } from './searchableDatasets.ts'

/**
 * The ids of the searchable documents that meet the conditions; null where there are none, so that all are searched.
 * @throws PlatformError 400 for an unknown operator or combination
 */
export async function findFilteredDocuments(
  pool: Pool,
  dataset_ids: readonly string[],
  filter: MetadataFilterInput | null | undefined,
): Promise<string[] | null> {
  const conditions = parseConditions(filter)
  if (conditions.length === 0) return null
  const { rows } = await pool.query<BuiltInSource & { id: string; built_in: boolean; metadata: MetadataValueRow[] }>(
    `SELECT d.id, d.name, d.created_at, d.updated_at, t.built_in_field_enabled AS built_in,
            ${DOCUMENT_VALUES_SQL} AS metadata
       FROM platform.documents d JOIN platform.datasets t ON t.id = d.dataset_id
      WHERE d.dataset_id = ANY($1::uuid[]) AND ${FINDABLE_DOCUMENT_SQL}`,
    [dataset_ids],
  )
  const isAny = filter?.logical_operator === 'or'
  return rows
    .filter((row) => {
      const values = new Map(toDocumentValues(row, row.metadata, row.built_in).map(({ name, value }) => [name, value]))
      const isMet = (condition: MetadataCondition) => meetsCondition(values.get(condition.name) ?? null, condition)
      return isAny ? conditions.some(isMet) : conditions.every(isMet)
    })
    .map(({ id }) => id)
}

/** Whether a value meets a condition. A document without a value meets `empty` alone. */
export function meetsCondition(given: MetadataValue, { operator, value }: Omit<MetadataCondition, 'name'>): boolean {
  const isEmpty = given === null || given === ''
  if (operator === 'empty') return isEmpty
  if (isEmpty || operator === 'not empty') return !isEmpty
  const text = String(given)
  const words = Array.isArray(value) ? value : [String(value)]
  const [word = ''] = words
  const number = Number(word)
  switch (operator) {
    case 'contains':
      return words.some((one) => text.includes(one))
    case 'not contains':
      return words.every((one) => !text.includes(one))
    case 'start with':
      return text.startsWith(word)
    case 'end with':
      return text.endsWith(word)
    case 'is':
    case '=':
      return isEqual(text, word)
    case 'is not':
    case '≠':
      return !isEqual(text, word)
    case 'in':
      return toListed(words).some((one) => isEqual(text, one))
    case 'not in':
      return !toListed(words).some((one) => isEqual(text, one))
    case '<':
    case 'before':
      return Number(text) < number
    case '>':
    case 'after':
      return Number(text) > number
    case '≤':
      return Number(text) <= number
    case '≥':
      return Number(text) >= number
  }
}

/** Numbers are equal by their value, however they are written. */
const isEqual = (text: string, other: string): boolean =>
  text === other || (text.trim() !== '' && other.trim() !== '' && Number(text) === Number(other))

/** A list may be one text with commas. */
const toListed = (words: readonly string[]): string[] =>
  words.length === 1 ? (words[0] ?? '').split(',').map((one) => one.trim()) : [...words]
