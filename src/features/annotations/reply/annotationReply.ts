import type { z } from 'zod'
import { AnnotationReplySettings, AnnotationJob } from '#contract/platform/annotations.ts'
import type { Call } from '#contract/console/calls.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { Turn } from '../../runs/turn.ts'
import type { AnnotationRow } from '../useAnnotations.ts'

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

/** The outcome of a probe, with the reply's details on the annotation; null for missing details. */
interface ProbeOutcome {
  outcome: 'stored' | 'other' | 'words' | 'own' | 'failed'
  annotation_id: string | null
  score: number | null
}

/** Some platforms name the annotation in the metadata of the reply, some add a score, some do neither. */
export function toProbeOutcome(
  { state, answer }: Pick<Turn, 'state' | 'answer'>,
  { id, answer: stored }: Pick<AnnotationRow, 'id' | 'answer'>,
): ProbeOutcome {
  const namedId = asRecord(answer.annotation_reply)
  const givenMetadata = namedId?.['id'] ?? namedId?.['annotation_id']
  const annotation_id = typeof givenMetadata === 'string' && givenMetadata !== '' ? givenMetadata : null
  const score = typeof namedId?.['score'] === 'number' ? namedId['score'] : null
  if (state !== 'succeeded') return { outcome: 'failed', annotation_id, score }
  const isSame = stored !== null && answer.text.trim() === stored.trim()
  const outcome = annotation_id ? (annotation_id === id ? 'stored' : 'other') : isSame ? 'words' : 'own'
  return { outcome, annotation_id, score }
}
