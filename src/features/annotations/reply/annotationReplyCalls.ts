import { AnnotationReplySettings, AnnotationJob } from '#contract/platform/annotations.ts'
import type { Call } from '#contract/console/calls.ts'
import type { z } from 'zod'

export type LastReplySettings = z.output<typeof AnnotationReplySettings>

/** A job started by this console, from its reply. */
export interface StartedJob {
  job_id: string
  action: 'enable' | 'disable'
  status: string | null
  person: string | null
  startedAt: string
}

/**
 * The last settings with which annotation reply was enabled, from the ledger; null if this console never enabled it.
 */
export function findLastReplySettings(calls: readonly Call[]): LastReplySettings | null {
  const last = calls.find(({ status, params }) => status === 'succeeded' && params?.['action'] === 'enable')
  const sent = AnnotationReplySettings.safeParse(last?.request)
  return sent.success ? sent.data : null
}

/** The last job of an app. */
export function findLastReplyJob(calls: readonly Call[]): StartedJob | null {
  for (const { status, params, reply, person, created_at } of calls) {
    const job = AnnotationJob.safeParse(reply)
    if (status !== 'succeeded' || !job.success) continue
    const action = params?.['action'] === 'disable' ? 'disable' : 'enable'
    return { job_id: job.data.job_id, action, status: job.data.job_status ?? null, person, startedAt: created_at }
  }
  return null
}
