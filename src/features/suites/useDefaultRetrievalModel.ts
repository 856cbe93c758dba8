import type { Suite } from '#contract/console/suites.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { useRetrievalDialect } from '../knowledge/datasets/useRetrievalDialect.ts'
import { toTestModel } from '../knowledge/retrieval/testSettings.ts'
import { useDataset } from '../knowledge/useDataset.ts'

/** The settings with which an experiment runs where none are chosen: those of the dataset, of which an economy one needs to be told. */
export function useDefaultRetrievalModel(suite: Suite) {
  const { workspaces } = useWorkspace()
  const isRetrieval = suite.target === 'retrieval'
  const workspace = workspaces.find(({ id }) => id === suite.workspace)
  const knowledge = workspace?.keys.find(({ kind }) => kind === 'knowledge')
  const { record, isKnown } = useDataset(
    isRetrieval ? suite.about : '',
    isRetrieval ? suite.workspace : undefined,
    isRetrieval ? knowledge : undefined,
  )
  const dialect = useRetrievalDialect(suite.workspace, record?.retrieval_model_dict)
  return { model: isRetrieval ? (toTestModel(record, {}, dialect) ?? null) : null, isKnown: isKnown || !isRetrieval }
}
