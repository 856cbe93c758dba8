import { z } from 'zod'
import { endpoint, form, PathSegmentId } from '../endpoint.ts'
import { toDocumentRef } from './documents.ts'
import * as shape from './schemas.ts'
import { WorkflowRun } from './workflows.ts'

const pipelinePath = '/datasets/:dataset_id/pipeline'
/** Known values: `local_file`, `online_document`, `website_crawl`, `online_drive`. */
const datasourceType = z.string().min(1).max(64)

/** A datasource node of a pipeline, with the inputs that it asks for. */
export const DatasourcePlugin = shape.looseRecord(
  {},
  {
    node_id: shape.stringField,
    plugin_id: shape.stringField,
    provider_name: shape.stringField,
    datasource_type: shape.openEnum('local_file', 'online_document', 'website_crawl', 'online_drive'),
    title: shape.stringField,
    user_input_variables: z.array(shape.objectField),
    credentials: z.array(shape.objectField),
  },
)

/** Knowledge pipelines: a workflow of the platform creates the documents of a dataset. No screen calls these. */
export const optionalPipelineEndpoints = {
  /** Uploads a file for a pipeline; its time is ISO text. */
  uploadPipelineFile: endpoint({
    method: 'POST',
    path: '/datasets/pipeline/file-upload',
    key: 'knowledge',
    permission: 'edit',
    body: form({ fields: z.strictObject({}) }),
    reply: shape.looseRecord(
      { id: shape.stringField },
      {
        name: shape.stringField,
        size: shape.integerField,
        extension: shape.stringField,
        mime_type: shape.stringField,
        created_by: shape.stringField,
        created_at: shape.stringField,
      },
    ),
    optional: true,
  }),
  /** Lists the datasource nodes of a dataset's pipeline, as a bare list. */
  listDatasourcePlugins: endpoint({
    method: 'GET',
    path: `${pipelinePath}/datasource-plugins`,
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ is_published: z.enum(['true', 'false']).optional() }),
    reply: z.array(DatasourcePlugin),
    resources: (_reply, { params }) => [{ kind: 'dataset', id: params.dataset_id }],
    tags: ['datasets'],
    optional: true,
  }),
  /** Runs one datasource node; the reply is its stream of events. */
  runDatasourceNode: endpoint({
    method: 'POST',
    path: `${pipelinePath}/datasource/nodes/:node_id/run`,
    key: 'knowledge',
    permission: 'run',
    params: { node_id: PathSegmentId },
    body: z.strictObject({
      inputs: shape.objectField,
      datasource_type: datasourceType,
      is_published: z.boolean(),
      credential_id: z.string().max(255).optional(),
    }),
    reply: z.unknown(),
    mediaType: 'text/event-stream',
    optional: true,
  }),
  /** Runs a pipeline; its documents are indexed afterwards. */
  runPipeline: endpoint({
    method: 'POST',
    path: `${pipelinePath}/run`,
    key: 'knowledge',
    permission: 'edit',
    body: z.strictObject({
      inputs: shape.objectField,
      datasource_type: datasourceType,
      datasource_info_list: z.array(shape.objectField),
      start_node_id: z.string().min(1).max(255),
      is_published: z.boolean(),
      /** A published pipeline answers with JSON in either mode. */
      response_mode: z.enum(['blocking']),
    }),
    reply: shape.looseRecord(
      {},
      {
        batch: shape.stringField,
        dataset: shape.objectField,
        documents: z.array(shape.Document),
        /** The last three belong to a draft, which creates no documents. */
        task_id: shape.sentSince('1.16.1', shape.stringField),
        workflow_run_id: shape.sentSince('1.16.1', shape.stringField),
        data: shape.sentSince('1.16.1', WorkflowRun),
      },
    ),
    resources: (reply, { params }) =>
      (reply.documents ?? []).map((document) => toDocumentRef(document, params.dataset_id)),
    invalidates: ['documents', 'datasets'],
    optional: true,
  }),
}
