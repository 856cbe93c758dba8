import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Endpoint, KeyKind, EndpointReply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { canCall, type Role } from '#contract/permissions.ts'
import type { PlatformDetectionRequest } from '#contract/console/admin/workspaceAdmin.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { toActor } from '../auth/peopleRoutes.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import type { PlatformCredential, Vault } from './vault.ts'

export interface KeyProbes {
  detectPlatform: (
    given: z.output<typeof PlatformDetectionRequest>,
  ) => Promise<EndpointReply<typeof contract.console.detectPlatform>>
  /** Rejects a key that the platform does not accept as this kind. `base_url`: where the key was verified. */
  verifyKey: (given: {
    workspace_id: string
    key: string
    kind: KeyKind
    /** True if it replaces a usable key. */
    replaces: boolean
  }) => Promise<{ mode: string | null; isConfirmed: boolean; base_url: string }>
  /** Probes the capabilities of a new key without waiting for a slow platform. */
  probeNewKey: (credential: PlatformCredential) => Promise<void>
  /** Detects the kind of a stored key again, and probes its capabilities. */
  testKey: (credential: PlatformCredential) => Promise<void>
}

/** Workspaces and keys. Replies contain hints, never a key. A new key is verified, and its capabilities are probed. */
export function registerVaultRoutes(app: FastifyInstance, vault: Vault, probes: KeyProbes): void {
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
  registerEndpoint(app, listWorkspaces, async (_input, { accessScope, person }) => {
    const data = (await vault.listWorkspaces(accessScope)).map((one) => withAllowedOffers(one, person?.role))
    return {
      data,
      total: data.length,
      read_only: vault.encryption.lockReason,
      master: vault.encryption.masterKeySource,
    }
  })
  registerEndpoint(app, detectPlatform, ({ body }) => probes.detectPlatform(body))
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
  registerEndpoint(app, createKey, async ({ params: { workspace_id }, body }, request) => {
    const verified = await probes.verifyKey({ workspace_id, key: body.key, kind: body.kind, replaces: false })
    const key = await vault.createKey(workspace_id, body, toActor(request), verified.base_url)
    await vault.recordKeyKind(key.id, verified)
    await probes.probeNewKey(await vault.getCredential(key.id))
    return vault.getKey(workspace_id, key.id)
  })
  registerEndpoint(app, updateKey, async ({ params: { workspace_id, key_id }, body }, request) => {
    const { kind, usable } = await vault.getKey(workspace_id, key_id)
    const verified =
      body.key === undefined ? null : await probes.verifyKey({ workspace_id, key: body.key, kind, replaces: usable })
    const key = await vault.updateKey(workspace_id, key_id, body, toActor(request), verified?.base_url)
    if (verified) {
      await vault.recordKeyKind(key.id, verified)
      await probes.probeNewKey(await vault.getCredential(key.id))
    }
    return vault.getKey(workspace_id, key.id)
  })
  registerEndpoint(app, probeKeyCapabilities, async ({ params }) => {
    await vault.getKey(params.workspace_id, params.key_id)
    await probes.testKey(await vault.getCredential(params.key_id))
    return vault.getKey(params.workspace_id, params.key_id)
  })
  registerEndpoint(app, deleteKey, ({ params }, request) =>
    vault.deleteKey(params.workspace_id, params.key_id, toActor(request)),
  )
}

const OPTIONAL_ENDPOINTS: Record<string, Endpoint | undefined> = contract.adjacent

/** A workspace whose keys offer only what the platform supports and the reader may call. */
const withAllowedOffers = (workspace: Workspace, role: Role | undefined): Workspace => ({
  ...workspace,
  keys: workspace.keys.map((key) => ({ ...key, offers: key.offers.filter((name) => isAllowed(name, role)) })),
})

function isAllowed(name: string, role: Role | undefined): boolean {
  const entry = OPTIONAL_ENDPOINTS[name]
  return !entry || (role !== undefined && canCall(role, entry))
}
