import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { annotationEndpoints as entries } from '#contract/platform/annotations.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toInvalidParamError, toNotFoundError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { findByKeyword, toListPage } from '../../datasets/listPage.ts'
import type { AnnotationJobs } from './annotationJobs.ts'
import { annotationJobs, annotations as table } from '../schema.ts'

export function registerPlatformAnnotationRoutes(
  app: FastifyInstance,
  context: PlatformContext,
  jobs: AnnotationJobs,
): void {
  const { db } = context.database
  const now = () => new Date(context.clock())

  registerPlatformEndpoint(app, entries.reply, async ({ caller, params, body }) => {
    const job = await jobs.start({
      app: caller.app ?? '',
      action: params.action as 'enable' | 'disable',
      score_threshold: body.score_threshold,
      embedding_provider_name: body.embedding_provider_name ?? null,
      embedding_model_name: body.embedding_model_name ?? null,
    })
    return { job_id: job.id, job_status: job.status }
  })

  registerPlatformEndpoint(app, optionalEndpoints.annotationJob, async ({ caller, params }) => {
    const [job] = await db
      .select()
      .from(annotationJobs)
      .where(and(eq(annotationJobs.app, caller.app ?? ''), eq(annotationJobs.id, params.job_id)))
    if (job?.action !== params.action) throw toInvalidParamError('job_id names no job of this action')
    return { job_id: job.id, job_status: job.status, error_msg: job.error_msg }
  })

  registerPlatformEndpoint(app, entries.create, async ({ caller, body }) => {
    const [annotation] = await db
      .insert(table)
      .values({ id: crypto.randomUUID(), app: caller.app ?? '', ...body, created_at: now(), updated_at: now() })
      .returning()
    if (!annotation) throw new Error('the annotation was not written')
    await jobs.onAnnotationsChanged(annotation.app)
    return toAnnotation(annotation)
  })

  registerPlatformEndpoint(app, optionalEndpoints.listAnnotations, async ({ caller, query }) => {
    const { page, limit, keyword } = query
    const textsSql = `SELECT id, concat_ws(E'\\n', question, answer) AS text FROM platform.annotations
      WHERE app = $1 ORDER BY created_at, id`
    const ids = await findByKeyword(context.database.pool, keyword, textsSql, [caller.app ?? ''])
    const condition = and(
      eq(table.app, caller.app ?? ''),
      ids ? sql`${table.id} = ANY(${sql.param(ids)}::uuid[])` : undefined,
    )
    const [countRows] = await db.select({ total: count() }).from(table).where(condition)
    const rows = await db
      .select()
      .from(table)
      .where(condition)
      .orderBy(desc(table.created_at), desc(table.id))
      .limit(limit)
      .offset((page - 1) * limit)
    const total = countRows?.total ?? 0
    return toListPage(rows.map(toAnnotation), total, query)
  })

  registerPlatformEndpoint(app, optionalEndpoints.updateAnnotation, async ({ caller, params, body }) => {
    const [annotation] = await db
      .update(table)
      .set({ ...body, vector: null, vector_model: null, updated_at: now() })
      .where(and(eq(table.app, caller.app ?? ''), eq(table.id, params.annotation_id)))
      .returning()
    if (!annotation) throw toNotFoundError('Annotation')
    await jobs.onAnnotationsChanged(annotation.app)
    return toAnnotation(annotation)
  })

  registerPlatformEndpoint(app, optionalEndpoints.deleteAnnotation, async ({ caller, params }) => {
    const [annotation] = await db
      .delete(table)
      .where(and(eq(table.app, caller.app ?? ''), eq(table.id, params.annotation_id)))
      .returning()
    if (!annotation) throw toNotFoundError('Annotation')
    await jobs.onAnnotationsChanged(annotation.app)
  })
}

const toAnnotation = ({ id, question, answer, hit_count, created_at }: typeof table.$inferSelect) => ({
  id,
  question,
  answer,
  hit_count,
  created_at: toUnixSeconds(created_at.getTime()),
})
