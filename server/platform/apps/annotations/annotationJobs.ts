import { and, asc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { annotationJobs, annotationReplies, annotations } from '../schema.ts'

type AnnotationJob = typeof annotationJobs.$inferSelect

export interface AnnotationJobs {
  /** Starts a job, or returns the active one of its kind. */
  start: (
    order: Pick<
      AnnotationJob,
      'app' | 'action' | 'score_threshold' | 'embedding_provider_name' | 'embedding_model_name'
    >,
  ) => Promise<Pick<AnnotationJob, 'id' | 'status'>>
  /** Resumes unfinished jobs of the last process. */
  resume: () => Promise<void>
  /** Reports a change of an application's annotations; embeds new ones if there is a model for it. */
  onAnnotationsChanged: (app: string) => Promise<void>
}

/** Questions per embedding request. */
const MAX_QUESTIONS_PER_CALL = 64

/** The jobs of operation 17: they embed the questions and enable annotation reply, or disable it. */
export function createAnnotationJobs(context: PlatformContext, tasks: Tasks): AnnotationJobs {
  const { db } = context.database
  const updateJob = (job: AnnotationJob, values: Partial<AnnotationJob>) =>
    db
      .update(annotationJobs)
      .set(values)
      .where(and(eq(annotationJobs.app, job.app), eq(annotationJobs.id, job.id)))

  async function runJob(job: AnnotationJob, signal: AbortSignal): Promise<void> {
    await updateJob(job, { status: 'processing' })
    try {
      const { app, score_threshold, embedding_provider_name, embedding_model_name } = job
      const enabled = job.action === 'enable'
      if (enabled) await embedAll(app, signal)
      const settings = { enabled, score_threshold, embedding_provider_name, embedding_model_name }
      // A later job's setting stays, whichever ends first.
      if (!(await hasLaterJob(job)))
        await db
          .insert(annotationReplies)
          .values({ app, ...settings })
          .onConflictDoUpdate({
            target: annotationReplies.app,
            set: { ...settings, revision: sql`${annotationReplies.revision} + 1` },
          })
      await updateJob(job, { status: 'completed' })
    } catch (error) {
      // A job interrupted by the end of the process resumes at the next start.
      if (signal.aborted) return
      context.log.warn({ err: error }, 'annotation job failed')
      await updateJob(job, { status: 'error', error_msg: error instanceof Error ? error.message : String(error) })
    }
  }

  async function hasLaterJob({ app, created_at }: AnnotationJob): Promise<boolean> {
    const rows = await db
      .select({ id: annotationJobs.id })
      .from(annotationJobs)
      .where(
        and(eq(annotationJobs.app, app), gt(annotationJobs.created_at, created_at), ne(annotationJobs.status, 'error')),
      )
      .limit(1)
    return rows.length > 0
  }

  async function embedAll(app: string, signal: AbortSignal): Promise<void> {
    const { embed, embedding_name } = context.model ?? {}
    if (!embed || !embedding_name) return
    const needsVector = or(isNull(annotations.vector_model), ne(annotations.vector_model, embedding_name))
    for (;;) {
      const rows = await db
        .select({ id: annotations.id, question: annotations.question })
        .from(annotations)
        .where(and(eq(annotations.app, app), needsVector))
        .orderBy(asc(annotations.created_at))
        .limit(MAX_QUESTIONS_PER_CALL)
      if (rows.length === 0) return
      const vectors = await embed(
        rows.map(({ question }) => question),
        signal,
      )
      for (const [index, { id, question }] of rows.entries())
        // Only if the question has not changed since it was embedded.
        await db
          .update(annotations)
          .set({ vector: vectors[index] ?? [], vector_model: embedding_name })
          .where(and(eq(annotations.id, id), eq(annotations.question, question)))
    }
  }

  return {
    async start(jobInput) {
      const [runningJob] = await db
        .select()
        .from(annotationJobs)
        .where(
          and(
            eq(annotationJobs.app, jobInput.app),
            eq(annotationJobs.action, jobInput.action),
            or(eq(annotationJobs.status, 'waiting'), eq(annotationJobs.status, 'processing')),
          ),
        )
        .limit(1)
      // A job that a later one has superseded would set nothing.
      if (runningJob && !(await hasLaterJob(runningJob))) return { id: runningJob.id, status: 'processing' }
      const [job] = await db
        .insert(annotationJobs)
        .values({ ...jobInput, id: crypto.randomUUID(), status: 'waiting', created_at: new Date(context.clock()) })
        .returning()
      if (!job) throw new Error('the job was not written')
      tasks.runInBackground((signal) => runJob(job, signal))
      return job
    },
    async resume() {
      const unfinishedJobs = await db
        .select()
        .from(annotationJobs)
        .where(or(eq(annotationJobs.status, 'waiting'), eq(annotationJobs.status, 'processing')))
        .orderBy(asc(annotationJobs.created_at))
      for (const job of unfinishedJobs) tasks.runInBackground((signal) => runJob(job, signal))
    },
    async onAnnotationsChanged(app) {
      const [settings] = await db
        .update(annotationReplies)
        .set({ revision: sql`${annotationReplies.revision} + 1` })
        .where(eq(annotationReplies.app, app))
        .returning()
      if (!settings?.enabled || !context.model?.embed) return
      tasks.runInBackground(async (signal) => {
        await embedAll(app, signal)
        await db
          .update(annotationReplies)
          .set({ revision: sql`${annotationReplies.revision} + 1` })
          .where(eq(annotationReplies.app, app))
      })
    },
  }
}
