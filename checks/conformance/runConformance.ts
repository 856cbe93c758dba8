import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { checkAnnotations, checkChats, checkCompletions, checkWorkflows } from './appChecks.ts'
import {
  type CheckOutcome,
  type ConformanceReply,
  type ConformanceRequest,
  ConformanceSuite,
  type PlatformUnderTest,
  readList,
  readText,
  toRequest,
  USER,
} from './conformanceSuite.ts'
import { checkKnowledge } from './knowledgeChecks.ts'
import { checkKnowledgeExtras } from './metadataChecks.ts'
import { checkRefusals } from './refusalChecks.ts'
import { checkRunOperations, type FormApps } from './runOperationChecks.ts'

/** Calls all 18 operations of a platform and the optional ones that it offers, well and badly, and checks
 * every reply. Gives one outcome for each check; `onCall` sees each call. `formApps` are keys of applications that pause at a
 * form. */
export async function runConformance(
  platformUnderTest: PlatformUnderTest,
  onOutcome: (outcome: CheckOutcome) => void,
  onCall?: (request: ConformanceRequest, reply: ConformanceReply) => void,
  formApps: FormApps = { workflow: null, chatflow: null },
): Promise<CheckOutcome[]> {
  const suite = new ConformanceSuite(platformUnderTest, onOutcome, onCall)
  // Its stream lasts until a ping: meanwhile the other operations are called.
  const completing = checkCompletions(suite)
  const ids = await checkKnowledge(suite)
  await checkKnowledgeExtras(suite, ids)
  await checkWorkflows(suite)
  const conversation_id = await checkChats(suite)
  await checkRunOperations(suite, formApps)
  await checkAnnotations(suite)
  await checkRefusals(suite, { ...ids, conversation_id })
  await completing
  await cleanUp(suite, ids.dataset_id)
  return suite.outcomes
}

/** The same for the main job of each area alone: documents, a workflow, a chat. Takes no time for what has to be waited for. */
export async function runShortConformance(
  platformUnderTest: PlatformUnderTest,
  onCall: (request: ConformanceRequest, reply: ConformanceReply) => void,
): Promise<CheckOutcome[]> {
  const suite = new ConformanceSuite(platformUnderTest, () => undefined, onCall)
  const { dataset_id } = await checkKnowledge(suite)
  await checkWorkflows(suite)
  await checkChats(suite)
  await cleanUp(suite, dataset_id)
  return suite.outcomes
}

/** Deletes what the suite has created, as far as the platform can. */
async function cleanUp(suite: ConformanceSuite, dataset_id: string): Promise<void> {
  await suite.send(toRequest(optionalEndpoints.deleteDataset, { params: { dataset_id } }))
  const list = toRequest(optionalEndpoints.listConversations, { query: `user=${USER}&limit=100` })
  for (const one of readList((await suite.send(list)).body, 'data')) {
    const params = { conversation_id: readText(one, 'id') }
    await suite.send(toRequest(optionalEndpoints.deleteConversation, { params, body: { user: USER } }))
  }
}
