import { asRecord } from '#contract/untrusted.ts'
import type { Turn } from '../../run/turn.ts'
import type { AnnotationRow } from './useAnnotations.ts'

/** What came of a probe, with what the reply tells of the annotation that answered; null for what it does not tell. */
export interface Came {
  word: 'stored' | 'other' | 'words' | 'own' | 'failed'
  annotation_id: string | null
  score: number | null
}

/** Some platforms name the annotation in the metadata of the reply, some with a score, some not at all. */
export function cameOf(
  { state, answer }: Pick<Turn, 'state' | 'answer'>,
  { id, answer: stored }: Pick<AnnotationRow, 'id' | 'answer'>,
): Came {
  const named = asRecord(answer.annotation_reply)
  const given = named?.['id'] ?? named?.['annotation_id']
  const annotation_id = typeof given === 'string' && given !== '' ? given : null
  const score = typeof named?.['score'] === 'number' ? named['score'] : null
  if (state !== 'succeeded') return { word: 'failed', annotation_id, score }
  const isSame = stored !== null && answer.text.trim() === stored.trim()
  const word = annotation_id ? (annotation_id === id ? 'stored' : 'other') : isSame ? 'words' : 'own'
  return { word, annotation_id, score }
}
