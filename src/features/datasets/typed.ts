import { compact, textOf } from '../../ui/fields/typed.ts'
import type { DatasetRecord } from '../../wire/useDataset.ts'
import {
  emptyRetrieval,
  readRetrieval,
  type Retrieval,
  type Speech,
  writeRetrieval,
} from '../../ui/retrieval/retrieval.ts'

/** The form of a dataset as it is typed, under the names of operations 1 and 2. */
export const emptyDataset = {
  name: '',
  description: '',
  indexing_technique: '',
  permission: '',
  partial_member_list: [] as string[],
  provider: '',
  external_knowledge_api_id: '',
  external_knowledge_id: '',
  embedding_model: '',
  embedding_model_provider: '',
  retrieval_model: emptyRetrieval,
}
export type TypedDataset = typeof emptyDataset

/** The form of a record. */
export function typedOf(record: DatasetRecord): TypedDataset {
  const external = record['external_knowledge_info'] as Record<string, unknown> | null | undefined
  return {
    ...emptyDataset,
    name: record.name ?? '',
    description: record.description ?? '',
    indexing_technique: record.indexing_technique ?? '',
    permission: record.permission ?? '',
    partial_member_list: record.partial_member_list ?? [],
    provider: record.provider ?? '',
    external_knowledge_api_id: String(external?.['external_knowledge_api_id'] ?? ''),
    external_knowledge_id: String(external?.['external_knowledge_id'] ?? ''),
    embedding_model: record.embedding_model ?? '',
    embedding_model_provider: record.embedding_model_provider ?? '',
    retrieval_model: readRetrieval(record.retrieval_model_dict),
  }
}

/** The body of operation 1: what was left empty is not in it, and the external ids only where the provider is. */
export function createOf(typed: TypedDataset, heard: Speech | null): Record<string, unknown> {
  const isExternal = typed.provider === 'external'
  return {
    name: typed.name,
    ...compact({
      ...settingsOf(typed),
      description: textOf(typed.description),
      provider: textOf(typed.provider),
      external_knowledge_api_id: isExternal ? textOf(typed.external_knowledge_api_id) : undefined,
      external_knowledge_id: isExternal ? textOf(typed.external_knowledge_id) : undefined,
      retrieval_model: retrievalOf(typed, heard, null),
    }),
  }
}

/**
 * The body of operation 2: only what differs from `before`, since a platform applies every field that is present. Members
 * go with the permission that has them.
 */
export function updateOf(
  typed: TypedDataset,
  before: TypedDataset,
  { heard, answered }: { heard: Speech | null; answered?: Retrieval | null | undefined },
): Record<string, unknown> {
  const body = (values: TypedDataset) => ({
    ...settingsOf(values),
    name: values.name,
    description: values.description,
    retrieval_model: retrievalOf(values, heard, answered),
    partial_member_list: values.permission === 'partial_members' ? membersOf(values, heard) : undefined,
  })
  const [now, then] = [body(typed), body(before)] as Record<string, unknown>[]
  const changed = Object.entries(now ?? {}).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(then?.[name]),
  )
  const update = Object.fromEntries(changed)
  // A list without its permission, or the permission without its list, is refused.
  if ('permission' in update && typed.permission === 'partial_members')
    update['partial_member_list'] = membersOf(typed, heard)
  return update
}

const settingsOf = (typed: TypedDataset) => ({
  indexing_technique: textOf(typed.indexing_technique),
  permission: textOf(typed.permission),
  embedding_model: textOf(typed.embedding_model),
  embedding_model_provider: textOf(typed.embedding_model_provider),
})

const spoken = (typed: TypedDataset, heard: Speech | null): Speech =>
  (typed.retrieval_model.speech as Speech | '') || (heard ?? 'interface')

const retrievalOf = (typed: TypedDataset, heard: Speech | null, before: Retrieval | null | undefined) =>
  writeRetrieval(typed.retrieval_model, {
    speech: spoken(typed, heard),
    before,
    embedding: { provider: typed.embedding_model_provider, model: typed.embedding_model },
  })

/** The interface has ids in words, upstream an object each. */
const membersOf = (typed: TypedDataset, heard: Speech | null) =>
  spoken(typed, heard) === 'interface'
    ? typed.partial_member_list
    : typed.partial_member_list.map((user_id) => ({ user_id }))
