import { eq, sql } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import { cosineSimilarity, trigramSimilarity, toTrigramProfile, type TrigramProfile } from './questionSimilarity.ts'
import { StoppedError } from '../tasks/tasks.ts'
import { annotationReplies, annotations } from '../schema.ts'

/** A matching annotation. `score` is the similarity of the questions, 0 to 1. */
export interface AnnotationMatch {
  id: string
  question: string
  answer: string
  score: number
}

export interface AnnotationMatcher {
  /** The annotation with the most similar question, if it reaches the threshold and annotation reply is on. */
  match: (app: string, question: string, signal: AbortSignal) => Promise<AnnotationMatch | null>
}

interface CachedAnnotation {
  id: string
  question: string
  answer: string
  profile: TrigramProfile
  vector: number[] | null
  vector_model: string | null
}

export function createAnnotationMatcher(context: PlatformContext): AnnotationMatcher {
  const { db } = context.database
  const cache = new Map<string, { revision: number; known: CachedAnnotation[] }>()

  async function loadAnnotations(app: string, revision: number): Promise<CachedAnnotation[]> {
    const cached = cache.get(app)
    if (cached?.revision === revision) return cached.known
    const { id, question, answer, vector, vector_model } = annotations
    const rows = await db
      .select({ id, question, answer, vector, vector_model })
      .from(annotations)
      .where(eq(annotations.app, app))
    const cachedAnnotations = rows.map((row) => ({ ...row, profile: toTrigramProfile(row.question) }))
    cache.set(app, { revision, known: cachedAnnotations })
    return cachedAnnotations
  }

  return {
    async match(app, question, signal) {
      const [settings] = await db.select().from(annotationReplies).where(eq(annotationReplies.app, app))
      if (!settings?.enabled) return null
      const cachedAnnotations = await loadAnnotations(app, settings.revision)
      if (cachedAnnotations.length === 0) return null
      const score = await createScorer(context, question, signal)
      const best = cachedAnnotations
        .map((annotation) => ({ annotation, score: score(annotation) }))
        .reduce((one, other) => (other.score > one.score ? other : one))
      if (best.score < settings.score_threshold) return null
      const { id, question: matchedQuestion, answer } = best.annotation
      await db
        .update(annotations)
        .set({ hit_count: sql`${annotations.hit_count} + 1` })
        .where(eq(annotations.id, id))
      return { id, question: matchedQuestion, answer, score: Math.round(best.score * 1e6) / 1e6 }
    },
  }
}

/** By embedding if a model embeds both questions, else by character trigrams. */
async function createScorer(
  { model, log }: PlatformContext,
  question: string,
  signal: AbortSignal,
): Promise<(annotation: CachedAnnotation) => number> {
  const profile = toTrigramProfile(question)
  const scoreByTrigrams = (annotation: CachedAnnotation) => trigramSimilarity(profile, annotation.profile)
  if (!model?.embed) return scoreByTrigrams
  try {
    const [vector] = await model.embed([question], signal)
    if (!vector) return scoreByTrigrams
    return (annotation) =>
      annotation.vector && annotation.vector_model === model.embedding_name
        ? cosineSimilarity(vector, annotation.vector)
        : scoreByTrigrams(annotation)
  } catch (error) {
    if (signal.reason instanceof StoppedError) throw error
    // A failing embedding model must not prevent an answer.
    log.warn({ err: error }, 'annotation reply failed')
    return scoreByTrigrams
  }
}
