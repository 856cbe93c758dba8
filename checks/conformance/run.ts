import { annotations, tidyUp } from './annotations.ts'
import { chats, completions } from './answers.ts'
import type { Ask, Place, Reply } from './client.ts'
import { knowledge } from './knowledge.ts'
import { refusals } from './refusals.ts'
import { Suite, type Outcome } from './suite.ts'
import { workflows } from './workflows.ts'

/** Calls all 18 operations of a platform, well and badly, and checks every reply. Gives one outcome for each check; `watch` sees each call. */
export async function conform(
  place: Place,
  tell: (outcome: Outcome) => void,
  watch?: (request: Ask, reply: Reply) => void,
): Promise<Outcome[]> {
  const suite = new Suite(place, tell, watch)
  // Its stream lasts as long as a ping takes: meanwhile the other operations are called.
  const completing = completions(suite)
  const ids = await knowledge(suite)
  await workflows(suite)
  const conversation_id = await chats(suite)
  await annotations(suite)
  await refusals(suite, { ...ids, conversation_id })
  await completing
  await tidyUp(suite, ids.dataset_id)
  return suite.outcomes
}
