import { contract } from '#contract/index.ts'
import { useRead } from '../../wire/query.ts'
import { recordOf } from './record.ts'
import { type Retrieval, type Speech, speechOf } from '../../ui/retrieval/retrieval.ts'

/** The shape of a retrieval model that a workspace's platform speaks, by this answer first, else by those the ledger has. */
export function useSpeech(workspace: string, own?: Retrieval | null): Speech | null {
  const { data } = useRead(contract.console.listThings, { query: { kind: 'dataset', workspace, limit: 20 } })
  return speechOf([own, ...(data?.data ?? []).map((thing) => recordOf(thing)?.retrieval_model_dict)])
}
