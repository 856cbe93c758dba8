import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import type { Database } from '../db/database.ts'
import { describeServer, findLiveServers, type LiveServer, waitWhileLive } from '../db/liveServers.ts'
import { StartupError } from '../db/startupError.ts'
import type { ServerLease } from '../runs/reconciliation/serverLease.ts'
import type { KeyEncryption } from '../vault/keyEncryption.ts'
import { findStoredFingerprint, listFingerprints, storeFingerprint } from '../vault/masterKeyFingerprint.ts'
import type { MasterKeys } from '../vault/masterKeys.ts'

interface RegistrationDeps {
  database: Pick<Database, 'kind' | 'pool' | 'withAdvisoryLock'>
  masterKeys: MasterKeys
  encryption: Pick<KeyEncryption, 'countUnreadableKeys'>
  lease: Pick<ServerLease, 'renew'>
}

const SEE_DOCS = 'See "One master key" in docs/operating.md.'

/**
 * Registers this server with those that share a PostgreSQL, if each can decrypt what another encrypts. Runs under a
 * lock, so that servers that start together compare with each other. The embedded database has one server.
 * @throws StartupError for a different master key, or none
 */
export async function registerServer(deps: RegistrationDeps): Promise<void> {
  const { database } = deps
  if (database.kind === 'pglite') return
  // A server with other keys that was killed a moment ago may look alive.
  const conflicts = await waitWhileLive(() =>
    database.withAdvisoryLock(ADVISORY_LOCKS.serverStart, () => tryToRegister(deps)),
  )
  if (conflicts.length > 0) throw new StartupError(`${conflicts.map(({ message }) => message).join('\n')}\n${SEE_DOCS}`)
}

interface Conflict {
  message: string
}

/** @returns the conflicts with live servers; empty if it is registered */
async function tryToRegister({ database, masterKeys, encryption, lease }: RegistrationDeps): Promise<Conflict[]> {
  const { pool } = database
  const live = await findLiveServers(pool)
  const stored = await findStoredFingerprint(pool)
  if (masterKeys.isEmpty && stored !== null) throw createMissingKeyError(masterKeys)
  if (masterKeys.isEmpty && live.length > 0) return [{ message: createMissingKeyError(masterKeys).message }]
  masterKeys.getSealingKey()
  const own = listFingerprints(masterKeys)
  const isOther = stored === null ? (await encryption.countUnreadableKeys()) > 0 : !own.includes(stored)
  if (isOther)
    throw new StartupError(
      `The master key of ${masterKeys.source} is not the one of this database. Servers that share a database need the same MASTER_KEY. ` +
        `If the one of this database is lost, npm run master:adopt puts this one in its place. ${SEE_DOCS}`,
    )
  const conflicts = findConflicts(live, own, masterKeys.source)
  if (conflicts.length > 0) return conflicts
  await storeFingerprint(pool, masterKeys)
  await lease.renew()
  return []
}

/** No server may encrypt what another cannot decrypt. A release without fingerprints is not compared. */
function findConflicts(live: readonly LiveServer[], own: readonly string[], source: string): Conflict[] {
  const [sealing = ''] = own
  return live.flatMap((server) => {
    const [theirs, ...older] = server.master_keys ?? []
    if (theirs === undefined) return []
    const place = describeServer(server)
    if (!own.includes(theirs))
      return [{ message: `The master keys of ${source} cannot open what this server encrypts: ${place}.` }]
    if (![theirs, ...older].includes(sealing))
      return [{ message: `This server cannot open what the first master key of ${source} encrypts: ${place}.` }]
    return []
  })
}

const createMissingKeyError = ({ source }: MasterKeys): StartupError =>
  new StartupError(
    `MASTER_KEY is not set, there is none in ${source}, and another server has made the one of this database. ` +
      `Set MASTER_KEY to the same on all servers. ${SEE_DOCS}`,
  )
