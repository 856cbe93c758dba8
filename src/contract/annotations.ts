import { z } from 'zod'
import { endpoint, type Named } from './endpoint.ts'
import * as shape from './shapes.ts'

/** Body of operation 17. */
export const AnnotationReply = z.strictObject({
  score_threshold: z.number().min(0).max(1),
  embedding_provider_name: z.string().max(255).nullish(),
  embedding_model_name: z.string().max(255).nullish(),
})

/** Body of operation 18. */
export const AnnotationWrite = z.strictObject({
  question: z.string().trim().min(1).max(100_000),
  answer: z.string().trim().min(1).max(100_000),
})

/** Annotation: a question and answer pair. */
export const Annotation = shape.record(
  { id: shape.text },
  {
    question: shape.text,
    answer: shape.text,
    hit_count: shape.integer,
    created_at: shape.timestamp,
  },
)

/** Async job: started by the call; the interface has no call that says when it is done. */
export const Job = shape.record(
  { job_id: shape.text },
  { job_status: shape.word('waiting', 'processing', 'completed', 'error'), error_msg: shape.text },
)

export const nameAnnotation = (annotation: z.output<typeof Annotation>): Named => ({
  kind: 'annotation',
  id: annotation.id,
  label: annotation.question,
  payload: annotation,
})

export const annotations = {
  /** Operation 17: starts the asynchronous setup of annotation reply. */
  reply: endpoint({
    method: 'POST',
    path: '/apps/annotation-reply/:action',
    key: 'app',
    permission: 'edit',
    params: { action: z.enum(['enable', 'disable']) },
    body: AnnotationReply,
    reply: Job,
    names: (reply, { params }) => [{ kind: 'job', id: reply.job_id, label: params.action }],
  }),
  /** Operation 18: creates an annotation. */
  create: endpoint({
    method: 'POST',
    path: '/apps/annotations',
    key: 'app',
    permission: 'edit',
    body: AnnotationWrite,
    reply: Annotation,
    names: (reply) => [nameAnnotation(reply)],
    touches: ['annotations'],
  }),
}
