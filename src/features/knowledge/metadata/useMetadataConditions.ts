import { useState } from 'react'
import { optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../client/query.ts'
import { type ConditionDraft, type ConditionField, toMetadataFilter } from './metadataConditions.ts'

const NO_FIELDS: readonly ConditionField[] = []

/** The conditions of a retrieval in a dataset; without a key, or where no metadata is offered, there are no fields. */
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
