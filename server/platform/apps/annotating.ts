import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { PlatformContext } from '../context.ts'
import type { Tasks } from './tasks.ts'
import { annotationJobs, annotationReplies, annotations } from './schema.ts'

type Job = typeof annotationJobs.$inferSelect

export interface Annotating {
  /** Starts a job, or gives the one of its kind that is under way. */
  start: (
    order: Pick<Job, 'app' | 'action' | 'score_threshold' | 'embedding_provider_name' | 'embedding_model_name'>,
  ) => Promise<Pick<Job, 'id' | 'status'>>
  /** Goes on with what the last process left undone. */
  resume: () => Promise<void>
  /** Says that an application's annotations have changed; embeds what is new if there is a model for it. */
  changed: (app: string) => Promise<void>
}

/** Questions that are embedded in one call. */
const BATCH = 64

/** The jobs behind operation 17: they embed the questions, then turn annotation reply on; or turn it off. */
export function openAnnotating(context: PlatformContext, tasks: Tasks): Annotating {
  const { db } = context.database
  const set = (job: Job, values: Partial<Job>) =>
    db
      .update(annotationJobs)
      .set(values)
      .where(and(eq(annotationJobs.app, job.app), eq(annotationJobs.id, job.id)))

  async function work(job: Job, signal: AbortSignal): Promise<void> {
    await set(job, { status: 'processing' })
    try {
      const { app, score_threshold, embedding_provider_name, embedding_model_name } = job
      const enabled = job.action === 'enable'
      if (enabled) await embedAll(app, signal)
      const settings = { enabled, score_threshold, embedding_provider_name, embedding_model_name }
      await db
        .insert(annotationReplies)
        .values({ app, ...settings })
        .onConflictDoUpdate({
          target: annotationReplies.app,
          set: { ...settings, revision: sql`${annotationReplies.revision} + 1` },
        })
      await set(job, { status: 'completed' })
    } catch (error) {
      // What the end of the process cut off goes on at the next start.
      if (signal.aborted) return
      context.log.warn({ err: error }, 'annotation job')
      await set(job, { status: 'error', error_msg: error instanceof Error ? error.message : String(error) })
    }
  }

  async function embedAll(app: string, signal: AbortSignal): Promise<void> {
    const { embed, embedding_name } = context.model ?? {}
    if (!embed || !embedding_name) return
    const missing = or(isNull(annotations.vector_model), ne(annotations.vector_model, embedding_name))
    for (;;) {
      const rows = await db
        .select({ id: annotations.id, question: annotations.question })
        .from(annotations)
        .where(and(eq(annotations.app, app), missing))
        .orderBy(asc(annotations.created_at))
        .limit(BATCH)
      if (rows.length === 0) return
      const vectors = await embed(
        rows.map(({ question }) => question),
        signal,
      )
      for (const [index, { id, question }] of rows.entries())
        // Only if the question is still the one that was embedded.
        await db
          .update(annotations)
          .set({ vector: vectors[index] ?? [], vector_model: embedding_name })
          .where(and(eq(annotations.id, id), eq(annotations.question, question)))
    }
  }

  return {
    async start(order) {
      const [busy] = await db
        .select({ id: annotationJobs.id })
        .from(annotationJobs)
        .where(
          and(
            eq(annotationJobs.app, order.app),
            eq(annotationJobs.action, order.action),
            or(eq(annotationJobs.status, 'waiting'), eq(annotationJobs.status, 'processing')),
          ),
        )
        .limit(1)
      if (busy) return { id: busy.id, status: 'processing' }
      const [job] = await db
        .insert(annotationJobs)
        .values({ ...order, id: crypto.randomUUID(), status: 'waiting', created_at: new Date(context.clock()) })
        .returning()
      if (!job) throw new Error('the job was not written')
      tasks.follow((signal) => work(job, signal))
      return job
    },
    async resume() {
      const left = await db
        .select()
        .from(annotationJobs)
        .where(or(eq(annotationJobs.status, 'waiting'), eq(annotationJobs.status, 'processing')))
        .orderBy(asc(annotationJobs.created_at))
      for (const job of left) tasks.follow((signal) => work(job, signal))
    },
    async changed(app) {
      const [settings] = await db
        .update(annotationReplies)
        .set({ revision: sql`${annotationReplies.revision} + 1` })
        .where(eq(annotationReplies.app, app))
        .returning()
      if (!settings?.enabled || !context.model?.embed) return
      tasks.follow(async (signal) => {
        await embedAll(app, signal)
        await db
          .update(annotationReplies)
          .set({ revision: sql`${annotationReplies.revision} + 1` })
          .where(eq(annotationReplies.app, app))
      })
    },
  }
}
