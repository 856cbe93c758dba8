import { contract } from '#contract/index.ts'
import type { Things } from '../ledger/things.ts'
import type { Credential } from '../vault/vault.ts'
import { LIMITS, parsed, readText, type Upstream } from './upstream.ts'

/**
 * One harmless read with a new knowledge key: a platform that lists its datasets (the interface has no such call) has them
 * remembered at once, so that nobody begins with an empty list. Any other answer means nothing.
 */
export async function survey(credential: Credential, upstream: Upstream, things: Things): Promise<void> {
  const { method, path, reply, names } = contract.adjacent.listDatasets
  const answer = await upstream.send(
    credential,
    { method, path: `${path}?page=1&limit=100`, accept: 'application/json', patience: LIMITS.read },
    'survey',
  )
  const text = await readText(answer, credential.secret)
  const list = reply.safeParse(parsed(text))
  if (answer.status !== 200 || !list.success) return
  things.see(credential.workspace_id, names(list.data, { params: {}, query: undefined, body: undefined }))
}
