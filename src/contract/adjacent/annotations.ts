import { z } from 'zod'
import { Annotation, AnnotationWrite, Job, nameAnnotation } from '../annotations.ts'
import { endpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { Gone, paged } from './shared.ts'

export const annotations = {
  /** Lists the annotations of an application. */
  listAnnotations: endpoint({
    method: 'GET',
    path: '/apps/annotations',
    key: 'app',
    permission: 'read',
    query: z.strictObject(paged),
    reply: shape.list(Annotation),
    names: (reply) => reply.data.map(nameAnnotation),
    shows: ['annotations'],
    adjacent: true,
  }),
  /** Updates an annotation. */
  updateAnnotation: endpoint({
    method: 'PUT',
    path: '/apps/annotations/:annotation_id',
    key: 'app',
    permission: 'edit',
    body: AnnotationWrite,
    reply: Annotation,
    names: (reply) => [nameAnnotation(reply)],
    touches: ['annotations'],
    adjacent: true,
  }),
  /** Deletes an annotation. */
  deleteAnnotation: endpoint({
    method: 'DELETE',
    path: '/apps/annotations/:annotation_id',
    key: 'app',
    permission: 'edit',
    reply: Gone,
    touches: ['annotations'],
    adjacent: true,
  }),
  /** Says how far the job of operation 17 has come; `action` is the one it was started with. */
  annotationJob: endpoint({
    method: 'GET',
    path: '/apps/annotation-reply/:action/status/:job_id',
    key: 'app',
    permission: 'read',
    params: { action: z.enum(['enable', 'disable']) },
    reply: Job,
    names: (reply, { params }) => [{ kind: 'job', id: reply.job_id, label: params.action, payload: reply }],
    adjacent: true,
  }),
}
