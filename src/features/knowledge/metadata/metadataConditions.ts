import type { z } from 'zod'
import type { MetadataFilter, MetadataOperator } from '#contract/platform/schemas.ts'
import { parseInput } from './metadataValues.ts'
import { useState } from 'react'
import { optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../client/query.ts'

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

/** The filter of a retrieval; undefined without a condition. Incomplete conditions are skipped. */
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

const NO_FIELDS: readonly ConditionField[] = []

/** The conditions of a retrieval in a dataset; without a key, or without metadata, there are no fields. */
export function useMetadataConditions(dataset_id: string, knowledge: Key | undefined) {
  const isOffered = knowledge?.offers.includes('listMetadata') ?? false
  const target = { key: knowledge?.id, params: { dataset_id } }
  const { data } = useRead(optionalMetadataEndpoints.listMetadata, target, { enabled: isOffered })
  const hasBuiltIn = data?.built_in_field_enabled ?? false
  const builtIn = useRead(optionalMetadataEndpoints.listBuiltInMetadata, target, { enabled: isOffered && hasBuiltIn })
  const [drafts, setDrafts] = useState<{ conditions: readonly ConditionDraft[]; isAny: boolean }>({
    conditions: [],
    isAny: false,
  })
  const fields = data ? [...data.doc_metadata, ...(hasBuiltIn ? (builtIn.data?.fields ?? []) : [])] : NO_FIELDS
  return {
    fields,
    ...drafts,
    filter: toMetadataFilter(drafts.conditions, drafts.isAny, fields),
    onChange: (conditions: readonly ConditionDraft[], isAny: boolean) => setDrafts({ conditions, isAny }),
  }
}
