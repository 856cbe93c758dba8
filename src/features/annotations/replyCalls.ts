import { AnnotationReply, Job } from '#contract/annotations.ts'
import type { Call } from '#contract/calls.ts'
import type { z } from 'zod'

export type Settings = z.output<typeof AnnotationReply>

/** A job that this console has started, as its reply had it. */
export interface StartedJob {
  job_id: string
  action: 'enable' | 'disable'
  status: string | null
  person: string | null
  at: string
}

/** What annotation reply was enabled with the last time, by the ledger; null where this console never enabled it. */
export function settingsIn(calls: readonly Call[]): Settings | null {
  const last = calls.find(({ status, params }) => status === 'succeeded' && params?.['action'] === 'enable')
  const sent = AnnotationReply.safeParse(last?.request)
  return sent.success ? sent.data : null
}

/** The last job of an app. */
export function jobIn(calls: readonly Call[]): StartedJob | null {
  for (const { status, params, reply, person, created_at } of calls) {
    const job = Job.safeParse(reply)
    if (status !== 'succeeded' || !job.success) continue
    const action = params?.['action'] === 'disable' ? 'disable' : 'enable'
    return { job_id: job.data.job_id, action, status: job.data.job_status ?? null, person, at: created_at }
  }
  return null
}
