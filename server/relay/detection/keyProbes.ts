import type { Pool } from 'pg'
import type { KeyProbes } from '../../vault/routes.ts'
import type { PlatformCredential, Vault } from '../../vault/vault.ts'
import type { EgressPolicy } from '../../vault/egressPolicy.ts'
import type { UpstreamClient } from '../upstream/upstream.ts'
import type { Capabilities } from './capabilities.ts'
import type { KeyHealth } from './keyHealth.ts'
import { detectPlatform, detectStoredKeyKind, verifyKey } from './platformDetection.ts'

/** Milliseconds that the creation of a key waits for the capability probe; a slower result is stored later. */
const PROBE_TIMEOUT_MS = 2_000

interface KeyProbeDeps {
  pool: Pool
  vault: Vault
  egressPolicy: EgressPolicy
  upstream: UpstreamClient
  capabilities: Capabilities
  keyHealth: KeyHealth
}

export function createKeyProbes(deps: KeyProbeDeps): KeyProbes {
  const { pool, vault, egressPolicy, upstream, capabilities, keyHealth } = deps
  return {
    detectPlatform: (given) => detectPlatform(given, { upstream, check: egressPolicy.requireAllowedUrl }),

    async verifyKey({ workspace_id, ...given }) {
      const base_url = await vault.getBaseUrl(workspace_id)
      const dataset_id = await findKnownDataset(pool, workspace_id)
      return { ...(await verifyKey({ ...given, base_url, dataset_id }, upstream)), base_url }
    },

    // Problems are in the health of the key.
    probeNewKey(credential) {
      keyHealth.reset(credential)
      return Promise.race([
        capabilities.probe(credential).catch(() => undefined),
        new Promise<void>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS).unref()),
      ])
    },

    async testKey(credential: PlatformCredential) {
      await capabilities.probe(credential)
      const { kind, mode, problem } = await detectStoredKeyKind(credential, upstream)
      if (problem) await keyHealth.recordProblem(credential, problem, { isRead: true, isOwnKind: true })
      if (kind === null) return
      await vault.recordKeyKind(credential.key_id, { mode, isConfirmed: kind === credential.kind })
      if (kind === credential.kind) await keyHealth.recordSuccess(credential, null, true)
      else await keyHealth.recordWrongKind(credential, kind)
    },
  }
}

/** A dataset that the platform had at the last read. */
async function findKnownDataset(pool: Pool, workspace_id: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM resources WHERE workspace_id = $1 AND kind = 'dataset' ORDER BY last_seen DESC LIMIT 1`,
    [workspace_id],
  )
  return rows[0]?.id ?? null
}
