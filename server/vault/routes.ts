import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { KeyKind, Reply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Inquiry } from '#contract/workspaces.ts'
import { byOf } from '../access/people-routes.ts'
import { route } from '../plugins/route.ts'
import type { Credential, Vault } from './vault.ts'

/** Workspaces and keys. Every reply shows hints, none a key. What the platform offers a new key is looked at first. */
export function vaultRoutes(
  app: FastifyInstance,
  vault: Vault,
  ask: (given: z.output<typeof Inquiry>) => Promise<Reply<typeof contract.console.inquire>>,
  demandKind: (given: { base_url: string; key: string; kind: KeyKind }) => Promise<void>,
  offers: { look: (credential: Credential) => Promise<void>; survey: (credential: Credential) => Promise<void> },
): void {
  const {
    listWorkspaces,
    createWorkspace,
    updateWorkspace,
    deleteWorkspace,
    createKey,
    updateKey,
    deleteKey,
    surveyKey,
    renewMaster,
    inquire,
  } = contract.console
  route(app, listWorkspaces, async (_input, { reach }) => {
    const data = await vault.list(reach)
    return { data, total: data.length, read_only: vault.sealing.lock, master: vault.sealing.master }
  })
  route(app, inquire, ({ body }) => ask(body))
  route(app, renewMaster, async (_input, request) => ({
    sealed: await vault.sealing.renewMaster(byOf(request)),
  }))
  route(app, createWorkspace, ({ body }, request) => vault.create(body, byOf(request)))
  route(app, updateWorkspace, ({ params, body }, request) => vault.update(params.workspace_id, body, byOf(request)))
  route(app, deleteWorkspace, ({ params }, request) => vault.remove(params.workspace_id, byOf(request)))
  route(app, createKey, async ({ params, body }, request) => {
    await demandKind({ base_url: await vault.baseUrlOf(params.workspace_id), key: body.key, kind: body.kind })
    const key = await vault.createKey(params.workspace_id, body, byOf(request))
    await offers.look(await vault.credential(key.id))
    return vault.readKey(params.workspace_id, key.id)
  })
  route(app, updateKey, async ({ params, body }, request) => {
    if (body.key !== undefined) {
      const { kind } = await vault.readKey(params.workspace_id, params.key_id)
      await demandKind({ base_url: await vault.baseUrlOf(params.workspace_id), key: body.key, kind })
    }
    const key = await vault.updateKey(params.workspace_id, params.key_id, body, byOf(request))
    if (body.key !== undefined) await offers.look(await vault.credential(key.id))
    return vault.readKey(params.workspace_id, key.id)
  })
  route(app, surveyKey, async ({ params }) => {
    await vault.readKey(params.workspace_id, params.key_id)
    await offers.survey(await vault.credential(params.key_id))
    return vault.readKey(params.workspace_id, params.key_id)
  })
  route(app, deleteKey, ({ params }, request) => vault.removeKey(params.workspace_id, params.key_id, byOf(request)))
}
