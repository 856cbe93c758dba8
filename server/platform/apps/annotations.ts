import { and, count, desc, eq, ilike, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { annotations as entries } from '#contract/annotations.ts'
import { seconds, type PlatformContext } from '../context.ts'
import { invalidParam, notFound } from '../errors.ts'
import { route } from '../route.ts'
import type { Annotating } from './annotating.ts'
import { annotationJobs, annotations as table } from './schema.ts'

/** Operations 17 and 18, and the list, update, deletion and job status beside them. */
export function annotations(app: FastifyInstance, context: PlatformContext, annotating: Annotating): void {
  const { db } = context.database
  const now = () => new Date(context.clock())

  route(app, entries.reply, async ({ caller, params, body }) => {
    const job = await annotating.start({
      app: caller.app ?? '',
      action: params.action as 'enable' | 'disable',
      score_threshold: body.score_threshold,
      embedding_provider_name: body.embedding_provider_name ?? null,
      embedding_model_name: body.embedding_model_name ?? null,
    })
    return { job_id: job.id, job_status: job.status }
  })

  route(app, adjacent.annotationJob, async ({ caller, params }) => {
    const [job] = await db
      .select()
      .from(annotationJobs)
      .where(and(eq(annotationJobs.app, caller.app ?? ''), eq(annotationJobs.id, params.job_id)))
    if (job?.action !== params.action) throw invalidParam('job_id names no job of this action')
    return { job_id: job.id, job_status: job.status, error_msg: job.error_msg }
  })

  route(app, entries.create, async ({ caller, body }) => {
    const [annotation] = await db
      .insert(table)
      .values({ id: crypto.randomUUID(), app: caller.app ?? '', ...body, created_at: now(), updated_at: now() })
      .returning()
    if (!annotation) throw new Error('the annotation was not written')
    await annotating.changed(annotation.app)
    return annotationItem(annotation)
  })

  route(app, adjacent.listAnnotations, async ({ caller, query }) => {
    const { page, limit, keyword } = query
    const pattern = keyword && `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
    const found = and(
      eq(table.app, caller.app ?? ''),
      pattern ? or(ilike(table.question, pattern), ilike(table.answer, pattern)) : undefined,
    )
    const [counted] = await db.select({ total: count() }).from(table).where(found)
    const rows = await db
      .select()
      .from(table)
      .where(found)
      .orderBy(desc(table.created_at), desc(table.id))
      .limit(limit)
      .offset((page - 1) * limit)
    const total = counted?.total ?? 0
    return { data: rows.map(annotationItem), has_more: page * limit < total, limit, total, page }
  })

  route(app, adjacent.updateAnnotation, async ({ caller, params, body }) => {
    const [annotation] = await db
      .update(table)
      .set({ ...body, vector: null, vector_model: null, updated_at: now() })
      .where(and(eq(table.app, caller.app ?? ''), eq(table.id, params.annotation_id)))
      .returning()
    if (!annotation) throw notFound('Annotation')
    await annotating.changed(annotation.app)
    return annotationItem(annotation)
  })

  route(app, adjacent.deleteAnnotation, async ({ caller, params }) => {
    const [annotation] = await db
      .delete(table)
      .where(and(eq(table.app, caller.app ?? ''), eq(table.id, params.annotation_id)))
      .returning()
    if (!annotation) throw notFound('Annotation')
    await annotating.changed(annotation.app)
  })
}

const annotationItem = ({ id, question, answer, hit_count, created_at }: typeof table.$inferSelect) => ({
  id,
  question,
  answer,
  hit_count,
  created_at: seconds(created_at.getTime()),
})
