import { z } from 'zod'
import { endpoint, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'

/** Body of operation 17. */
export const AnnotationReplySettings = z.strictObject({
  score_threshold: z.number().min(0).max(1),
  embedding_provider_name: z.string().max(255).nullish(),
  embedding_model_name: z.string().max(255).nullish(),
})

/** Body of operation 18. */
export const AnnotationInput = z.strictObject({
  question: z.string().trim().min(1).max(100_000),
  answer: z.string().trim().min(1).max(100_000),
})

export const Annotation = shape.looseRecord(
  { id: shape.stringField },
  {
    question: shape.stringField,
    answer: shape.stringField,
    hit_count: shape.integerField,
    created_at: shape.timestampField,
  },
)

/** Async job: started by the call; the interface has no call for its status. */
export const AnnotationJob = shape.looseRecord(
  { job_id: shape.stringField },
  { job_status: shape.openEnum('waiting', 'processing', 'completed', 'error'), error_msg: shape.stringField },
)

export const toAnnotationRef = (annotation: z.output<typeof Annotation>): ResourceRef => ({
  kind: 'annotation',
  id: annotation.id,
  label: annotation.question,
  payload: annotation,
})

export const annotationEndpoints = {
  /** Operation 17: starts the asynchronous setup of annotation reply. */
  reply: endpoint({
    method: 'POST',
    path: '/apps/annotation-reply/:action',
    key: 'app',
    permission: 'edit',
    params: { action: z.enum(['enable', 'disable']) },
    body: AnnotationReplySettings,
    reply: AnnotationJob,
    resources: (reply, { params }) => [{ kind: 'job', id: reply.job_id, label: params.action }],
  }),
  create: endpoint({
    method: 'POST',
    path: '/apps/annotations',
    key: 'app',
    permission: 'edit',
    body: AnnotationInput,
    reply: Annotation,
    resources: (reply) => [toAnnotationRef(reply)],
    invalidates: ['annotations'],
  }),
}
