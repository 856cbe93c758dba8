import type { Suite } from '#contract/console/suites.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { useRetrievalDialect } from '../knowledge/datasets/useRetrievalDialect.ts'
import { toTestModel } from '../knowledge/retrieval/testSettings.ts'
import { useDataset } from '../knowledge/useDataset.ts'

/**
 * How an experiment runs by default: the app itself, or retrieval with the settings of the dataset; for an economy
 * dataset they are sent. Without a retrieval operation a chat app is used.
 */
export function useExperimentDefaults(suite: Suite) {
  const { findKey } = useWorkspace()
  const session = useRead(accessEndpoints.session, {})
  const { workspace, knowledge, record, isKnown, dialect } = useSuiteDataset(suite)
  const isApp = suite.target !== 'retrieval'
  const isDirect = knowledge?.offers.includes('retrieve') ?? false
  const app = findKey('chat')
  const user = session.data?.person.default_user
  if (isApp) return { canRun: workspace?.keys.some(({ id }) => id === suite.about) ?? false, body: { user } }
  return {
    canRun: isKnown && (isDirect || app !== undefined),
    body: isDirect ? { retrieval_model: toTestModel(record, {}, dialect) ?? null } : { key: app?.id, user },
  }
}

/** The keys of the workspace that can answer the cases of an app's suite; none for a retrieval. */
export function useAppsOfKind(suite: Suite) {
  const { workspaces } = useWorkspace()
  const keys = workspaces.find(({ id }) => id === suite.workspace)?.keys ?? []
  return keys.filter(({ kind }) => kind === suite.target)
}

/** The dataset of a retrieval suite with its settings, from the platform. */
export function useSuiteDataset(suite: Suite) {
  const { workspaces } = useWorkspace()
  const workspace = workspaces.find(({ id }) => id === suite.workspace)
  const isApp = suite.target !== 'retrieval'
  const knowledge = workspace?.keys.find(({ kind }) => kind === 'knowledge')
  const { record, isKnown } = useDataset(
    suite.about,
    isApp ? undefined : suite.workspace,
    isApp ? undefined : knowledge,
  )
  const dialect = useRetrievalDialect(suite.workspace, record?.retrieval_model_dict)
  return { workspace, knowledge, record, isKnown, dialect }
}
