import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { KeyKind, EndpointReply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { PlatformDetectionRequest } from '#contract/console/workspaces.ts'
import { toActor } from '../auth/peopleRoutes.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import type { PlatformCredential, Vault } from './vault.ts'

/** Workspaces and keys. Replies contain hints, never a key. A new key triggers a capability probe first. */
export function registerVaultRoutes(
  app: FastifyInstance,
  vault: Vault,
  runDetection: (
    given: z.output<typeof PlatformDetectionRequest>,
  ) => Promise<EndpointReply<typeof contract.console.detectPlatform>>,
  assertKeyKind: (given: { base_url: string; key: string; kind: KeyKind }) => Promise<void>,
  capabilities: {
    look: (credential: PlatformCredential) => Promise<void>
    survey: (credential: PlatformCredential) => Promise<void>
  },
): void {
  const {
    listWorkspaces,
    createWorkspace,
    updateWorkspace,
    deleteWorkspace,
    createKey,
    updateKey,
    deleteKey,
    probeKeyCapabilities,
    rotateMasterKey,
    detectPlatform,
  } = contract.console
  registerEndpoint(app, listWorkspaces, async (_input, { accessScope }) => {
    const data = await vault.listWorkspaces(accessScope)
    return {
      data,
      total: data.length,
      read_only: vault.encryption.lockReason,
      master: vault.encryption.masterKeySource,
    }
  })
  registerEndpoint(app, detectPlatform, ({ body }) => runDetection(body))
  registerEndpoint(app, rotateMasterKey, async (_input, request) => ({
    sealed: await vault.encryption.renewMasterKey(toActor(request)),
  }))
  registerEndpoint(app, createWorkspace, ({ body }, request) => vault.createWorkspace(body, toActor(request)))
  registerEndpoint(app, updateWorkspace, ({ params, body }, request) =>
    vault.updateWorkspace(params.workspace_id, body, toActor(request)),
  )
  registerEndpoint(app, deleteWorkspace, ({ params }, request) =>
    vault.deleteWorkspace(params.workspace_id, toActor(request)),
  )
  registerEndpoint(app, createKey, async ({ params, body }, request) => {
    await assertKeyKind({ base_url: await vault.getBaseUrl(params.workspace_id), key: body.key, kind: body.kind })
    const key = await vault.createKey(params.workspace_id, body, toActor(request))
    await capabilities.look(await vault.getCredential(key.id))
    return vault.getKey(params.workspace_id, key.id)
  })
  registerEndpoint(app, updateKey, async ({ params, body }, request) => {
    if (body.key !== undefined) {
      const { kind } = await vault.getKey(params.workspace_id, params.key_id)
      await assertKeyKind({ base_url: await vault.getBaseUrl(params.workspace_id), key: body.key, kind })
    }
    const key = await vault.updateKey(params.workspace_id, params.key_id, body, toActor(request))
    if (body.key !== undefined) await capabilities.look(await vault.getCredential(key.id))
    return vault.getKey(params.workspace_id, key.id)
  })
  registerEndpoint(app, probeKeyCapabilities, async ({ params }) => {
    await vault.getKey(params.workspace_id, params.key_id)
    await capabilities.survey(await vault.getCredential(params.key_id))
    return vault.getKey(params.workspace_id, params.key_id)
  })
  registerEndpoint(app, deleteKey, ({ params }, request) =>
    vault.deleteKey(params.workspace_id, params.key_id, toActor(request)),
  )
}
