import { z } from 'zod'
import { Annotation, AnnotationInput, AnnotationJob, toAnnotationRef } from './annotations.ts'
import { endpoint } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { DeleteReply, pageQuery } from './optionalReplies.ts'

export const optionalAnnotationEndpoints = {
  listAnnotations: endpoint({
    method: 'GET',
    path: '/apps/annotations',
    key: 'app',
    permission: 'read',
    query: z.strictObject(pageQuery),
    reply: shape.pagedList(Annotation),
    resources: (reply) => reply.data.map(toAnnotationRef),
    tags: ['annotations'],
    optional: true,
  }),
  updateAnnotation: endpoint({
    method: 'PUT',
    path: '/apps/annotations/:annotation_id',
    key: 'app',
    permission: 'edit',
    body: AnnotationInput,
    reply: Annotation,
    resources: (reply) => [toAnnotationRef(reply)],
    invalidates: ['annotations'],
    optional: true,
  }),
  deleteAnnotation: endpoint({
    method: 'DELETE',
    path: '/apps/annotations/:annotation_id',
    key: 'app',
    permission: 'edit',
    reply: DeleteReply,
    invalidates: ['annotations'],
    optional: true,
  }),
  /** Returns the status of the job of operation 17; `action` is the one it was started with. */
  annotationJob: endpoint({
    method: 'GET',
    path: '/apps/annotation-reply/:action/status/:job_id',
    key: 'app',
    permission: 'read',
    params: { action: z.enum(['enable', 'disable']) },
    reply: AnnotationJob,
    resources: (reply, { params }) => [{ kind: 'job', id: reply.job_id, label: params.action, payload: reply }],
    optional: true,
  }),
}
