import { eq, sql } from 'drizzle-orm'
import type { PlatformContext } from '../context.ts'
import { cosine, likeness, profileOf, type Profile } from './likeness.ts'
import { annotationReplies, annotations } from './schema.ts'

/** An annotation that answers a question. `score` says how alike the questions are, 0 to 1. */
export interface Match {
  id: string
  question: string
  answer: string
  score: number
}

export interface Matcher {
  /** The annotation whose question is most like this one, if it is alike enough and annotation reply is on. */
  match: (app: string, question: string, signal: AbortSignal) => Promise<Match | null>
}

interface Known {
  id: string
  question: string
  answer: string
  profile: Profile
  vector: number[] | null
  vector_model: string | null
}

export function openMatcher(context: PlatformContext): Matcher {
  const { db } = context.database
  const kept = new Map<string, { revision: number; known: Known[] }>()

  /** All annotations of an application; read again when one of them has changed. */
  async function recall(app: string, revision: number): Promise<Known[]> {
    const held = kept.get(app)
    if (held?.revision === revision) return held.known
    const { id, question, answer, vector, vector_model } = annotations
    const rows = await db
      .select({ id, question, answer, vector, vector_model })
      .from(annotations)
      .where(eq(annotations.app, app))
    const known = rows.map((row) => ({ ...row, profile: profileOf(row.question) }))
    kept.set(app, { revision, known })
    return known
  }

  return {
    async match(app, question, signal) {
      const [settings] = await db.select().from(annotationReplies).where(eq(annotationReplies.app, app))
      if (!settings?.enabled) return null
      const known = await recall(app, settings.revision)
      if (known.length === 0) return null
      const score = await scorer(context, question, signal)
      const best = known
        .map((annotation) => ({ annotation, score: score(annotation) }))
        .reduce((one, other) => (other.score > one.score ? other : one))
      if (best.score < settings.score_threshold) return null
      const { id, question: asked, answer } = best.annotation
      await db
        .update(annotations)
        .set({ hit_count: sql`${annotations.hit_count} + 1` })
        .where(eq(annotations.id, id))
      return { id, question: asked, answer, score: Math.round(best.score * 1e6) / 1e6 }
    },
  }
}

/** By meaning where a model embeds both questions, else by letters. */
async function scorer(
  { model, log }: PlatformContext,
  question: string,
  signal: AbortSignal,
): Promise<(annotation: Known) => number> {
  const profile = profileOf(question)
  const byLetters = (annotation: Known) => likeness(profile, annotation.profile)
  if (!model?.embed) return byLetters
  try {
    const [vector] = await model.embed([question], signal)
    if (!vector) return byLetters
    return (annotation) =>
      annotation.vector && annotation.vector_model === model.embedding_name
        ? cosine(vector, annotation.vector)
        : byLetters(annotation)
  } catch (error) {
    if (signal.aborted) throw error
    // A model that cannot embed now is no reason to leave a question unanswered.
    log.warn({ err: error }, 'annotation reply')
    return byLetters
  }
}
