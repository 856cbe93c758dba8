/**
 * Files that take longest, the longest first (`node checks/run.ts --slowest unit e2e` measures them). They begin first, so
 * that the last of the workers does not begin a long one when the others have nothing left. A file that is not here runs
 * after them, and nothing is wrong with that.
 */
export const SLOWEST_UNIT_FILES: readonly string[] = [
  'checks/kill/killCluster.full.test.ts',
  'checks/kill/folderDamage.full.test.ts',
  'server/startTogether.full.test.ts',
  'checks/kill/killReattach.full.test.ts',
  'checks/kill/killServers.full.test.ts',
  'server/db/snapshots/snapshots.full.test.ts',
  'checks/dataUpgrade.full.test.ts',
  'checks/kill/killIndexing.full.test.ts',
  'checks/kill/killAnnotations.full.test.ts',
  'checks/fuzz/fuzz.full.test.ts',
  'server/runs/resumption/sleepingServer.full.test.ts',
  'server/process.full.test.ts',
  'checks/kill/killStreams.full.test.ts',
  'server/runs/resumption/killedServer.test.ts',
  'server/auth/audit/auditChain.test.ts',
  'checks/kill/diskFull.test.ts',
  'server/process.test.ts',
  'server/servers/masterKeys.test.ts',
  'server/multipleServers.test.ts',
  'server/servers/servers.test.ts',
  'server/db/vacuumScheduler.test.ts',
  'checks/firstLoad.test.ts',
  'server/reverseProxies.test.ts',
  'server/dataFolderPermissions.test.ts',
  'server/db/embedded/folderGuard.test.ts',
]

/** Of the browser specs only the full ones: the fast ones share their workers. */
export const SLOWEST_SPECS: readonly string[] = [
  'accessibility/screens.full.spec.ts',
  'chat/answerIntegrity.full.spec.ts',
  'chat/platformFaults.full.spec.ts',
  'knowledge/conflictsAndFailures.full.spec.ts',
]

/** The same files in another order: those of the list first, the others as they came. */
export function toSlowestFirst<T>(files: readonly T[], slowest: readonly string[], getPath: (file: T) => string): T[] {
  const getRank = (file: T) => {
    const rank = slowest.indexOf(getPath(file))
    return rank === -1 ? slowest.length : rank
  }
  return [...files].sort((a, b) => getRank(a) - getRank(b))
}
