import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { route } from '../plugins/route.ts'
import type { Credential, Vault } from './vault.ts'

/** Workspaces and keys. Every reply shows hints, none a key. `onKnowledgeKey` is told of each one that is new. */
export function vaultRoutes(
  app: FastifyInstance,
  vault: Vault,
  onKnowledgeKey: (credential: Credential) => void,
): void {
  const { listWorkspaces, createWorkspace, updateWorkspace, deleteWorkspace, createKey, updateKey, deleteKey } =
    contract.console
  route(app, listWorkspaces, async () => {
    const data = await vault.list()
    return { data, total: data.length }
  })
  route(app, createWorkspace, ({ body }) => vault.create(body))
  route(app, updateWorkspace, ({ params, body }) => vault.update(params.workspace_id, body))
  route(app, deleteWorkspace, ({ params }) => vault.remove(params.workspace_id))
  route(app, createKey, async ({ params, body }) => {
    const key = await vault.createKey(params.workspace_id, body)
    if (key.kind === 'knowledge') onKnowledgeKey(await vault.credential(key.id))
    return key
  })
  route(app, updateKey, ({ params, body }) => vault.updateKey(params.workspace_id, params.key_id, body))
  route(app, deleteKey, ({ params }) => vault.removeKey(params.workspace_id, params.key_id))
}
