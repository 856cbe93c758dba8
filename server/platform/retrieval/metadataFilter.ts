import type { Pool } from 'pg'
import { describeMetadataType, parseMetadataValue } from '#domain/metadataValue.ts'
import { isSameText, toSamenessKey } from '#domain/samenessKey.ts'
import {
  DOCUMENT_VALUES_SQL,
  listBuiltInFields,
  toDocumentValues,
  type BuiltInSource,
  type MetadataFieldRow,
  type MetadataValueRow,
} from '../datasets/metadata/metadataRecord.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import { type MetadataCondition, type MetadataFilterInput, parseConditions } from './metadataConditions.ts'
import { FINDABLE_DOCUMENT_SQL } from './searchableDatasets.ts'

/**
 * The ids of the searchable documents that meet the conditions; null without conditions, so that all are searched.
 * @throws PlatformError 400 for an unknown operator or combination, or a value that does not match its field's type
 */
export async function findFilteredDocuments(
  pool: Pool,
  dataset_ids: readonly string[],
  filter: MetadataFilterInput | null | undefined,
): Promise<string[] | null> {
  const conditions = parseConditions(filter)
  if (conditions.length === 0) return null
  const { rows: fields } = await pool.query<Pick<MetadataFieldRow, 'name' | 'type'>>(
    'SELECT DISTINCT name, type FROM platform.metadata_fields WHERE dataset_id = ANY($1::uuid[])',
    [dataset_ids],
  )
  for (const condition of conditions) requireFittingValue(condition, [...fields, ...listBuiltInFields()])
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
      const values = toDocumentValues(row, row.metadata, row.built_in)
      const isMet = (condition: MetadataCondition) =>
        meetsCondition(values.find(({ name }) => isSameText(name, condition.name)) ?? NO_VALUE, condition)
      return isAny ? conditions.some(isMet) : conditions.every(isMet)
    })
    .map(({ id }) => id)
}

type TypedValue = Pick<MetadataValueRow, 'type' | 'value'>

const NO_VALUE: TypedValue = { type: 'string', value: null }
const ORDER_OPERATORS: readonly string[] = ['<', '>', '≤', '≥', 'before', 'after']
const TEXT_OPERATORS: readonly string[] = ['contains', 'not contains', 'start with', 'end with', 'empty', 'not empty']

/** Fields of several datasets may share a name: the value must match one of them. */
function requireFittingValue(
  { name, operator, value, path }: MetadataCondition,
  fields: readonly Pick<MetadataFieldRow, 'name' | 'type'>[],
): void {
  const types = fields.flatMap((field) => (isSameText(field.name, name) ? field.type : []))
  if (types.length === 0 || TEXT_OPERATORS.includes(operator)) return
  const ordered = ORDER_OPERATORS.includes(operator) ? types.filter((type) => type !== 'string') : types
  const [type] = ordered
  if (!type)
    throw toInvalidParamError(`${path}.comparison_operator ${operator} compares numbers and times; ${name} is a text`)
  const misfit = toOperands(operator, value).find((one) =>
    ordered.every((each) => parseMetadataValue(each, one) === undefined),
  )
  if (misfit !== undefined)
    throw toInvalidParamError(
      `${path}.value must be ${describeMetadataType(type)} for ${name}, not ${JSON.stringify(misfit)}`,
    )
}

/** A list may be one text with commas. */
function toOperands(operator: string, value: MetadataCondition['value']): (string | number)[] {
  if (Array.isArray(value)) return value
  if (operator !== 'in' && operator !== 'not in') return [value ?? '']
  return String(value)
    .split(',')
    .map((one) => one.trim())
}

/** Whether a value meets a condition, compared by its type. A document without a value meets only `empty`. */
export function meetsCondition(
  { type, value: given }: TypedValue,
  { operator, value }: Pick<MetadataCondition, 'operator' | 'value'>,
): boolean {
  const isEmpty = given === null || given === ''
  if (operator === 'empty') return isEmpty
  if (isEmpty || operator === 'not empty') return !isEmpty
  const operands = toOperands(operator, value)
  const [first = ''] = operands
  const isEqual = (operand: string | number) => isEqualValue(type, given, operand)
  const text = toSamenessKey(String(given))
  const words = operands.map((operand) => toSamenessKey(String(operand)))
  const [word = ''] = words
  const [one, other] = [Number(parseMetadataValue(type, given)), Number(parseMetadataValue(type, first))]
  switch (operator) {
    case 'contains':
      return words.some((each) => text.includes(each))
    case 'not contains':
      return words.every((each) => !text.includes(each))
    case 'start with':
      return text.startsWith(word)
    case 'end with':
      return text.endsWith(word)
    case 'is':
    case '=':
      return isEqual(first)
    case 'is not':
    case '≠':
      return !isEqual(first)
    // A text with a comma may be one value.
    case 'in':
      return operands.some(isEqual) || (typeof value === 'string' && isEqual(value))
    case 'not in':
      return !operands.some(isEqual) && !(typeof value === 'string' && isEqual(value))
    case '<':
    case 'before':
      return one < other
    case '>':
    case 'after':
      return one > other
    case '≤':
      return one <= other
    case '≥':
      return one >= other
  }
}

/** A stored value that does not match its type is compared as text. */
function isEqualValue(type: string, given: unknown, operand: string | number): boolean {
  const [one, other] = [parseMetadataValue(type, given), parseMetadataValue(type, operand)]
  if (typeof one === 'number' && typeof other === 'number') return one === other
  return isSameText(String(given), String(operand))
}
