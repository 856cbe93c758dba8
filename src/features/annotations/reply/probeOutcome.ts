import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { Turn } from '../../runs/turn.ts'
import type { AnnotationRow } from '../useAnnotations.ts'

/** The outcome of a probe, with the reply's details on the annotation; null for missing details. */
export interface ProbeOutcome {
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
