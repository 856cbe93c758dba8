import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isActiveStatus } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { invalidateTags, useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import type { Turn } from '../turn.ts'

/** Poll interval (ms) of a paused run that is on the screen. */
const PAUSED_POLL_INTERVAL_MS = 2_500

/**
 * Notices that a paused run goes on, also if it was answered elsewhere: its frames are watched again from the last one, and
 * what the page has read of it is read again.
 */
export function useResumption({ run_id, state, frames }: Turn): void {
  const client = useQueryClient()
  const isPaused = state === 'paused'
  const { data } = useRead(
    runEndpoints.readRun,
    { params: { run_id } },
    { enabled: isPaused, pollIntervalMs: isPaused ? PAUSED_POLL_INTERVAL_MS : false },
  )
  // A row that was read before the pause does not have its frames.
  const status = isPaused && data && data.frames >= frames ? data.status : 'paused'
  useEffect(() => {
    if (status === 'paused') return
    if (isActiveStatus(status)) runStore.continueWatching(run_id)
    void invalidateTags(client, ['runs'])
  }, [client, run_id, status])
}
