import type { z } from 'zod'
import type { MetadataFilter, MetadataOperator } from '#contract/platform/schemas.ts'
import { parseInput } from './metadataValues.ts'

/** A condition as it is typed. */
export interface ConditionDraft {
  name: string
  operator: MetadataOperator
  value: string
}

/** A field by which documents can be limited. */
export interface ConditionField {
  name: string
  type?: string | null | undefined
}

export const WITHOUT_VALUE: readonly MetadataOperator[] = ['empty', 'not empty']

/** The comparisons that suit a type of field, the usual one first. */
export function listOperators(type: string | null | undefined): MetadataOperator[] {
  if (type === 'number') return ['=', '≠', '>', '<', '≥', '≤', ...WITHOUT_VALUE]
  if (type === 'time') return ['is', 'before', 'after', ...WITHOUT_VALUE]
  return ['is', 'is not', 'contains', 'not contains', 'start with', 'end with', 'in', 'not in', ...WITHOUT_VALUE]
}

/** The filter of a retrieval; undefined without a condition. Conditions that still need a value are left out. */
export function toMetadataFilter(
  drafts: readonly ConditionDraft[],
  isAny: boolean,
  fields: readonly ConditionField[],
): z.input<typeof MetadataFilter> | undefined {
  const conditions = drafts.flatMap(({ name, operator, value }) => {
    if (WITHOUT_VALUE.includes(operator)) return [{ name, comparison_operator: operator }]
    const parsed = parseInput(fields.find((field) => field.name === name)?.type, value)
    return parsed === null || parsed === undefined ? [] : [{ name, comparison_operator: operator, value: parsed }]
  })
  return conditions.length > 0 ? { logical_operator: isAny ? 'or' : 'and', conditions } : undefined
}
