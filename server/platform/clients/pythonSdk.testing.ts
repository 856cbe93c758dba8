import type { ClientLibrary } from './clientCall.testing.ts'

const RULE = { mode: 'automatic' }
const DATASET = '/datasets/{dataset}' as const
const DOCUMENT = '/datasets/{dataset}/documents/{document}' as const
const user = 'abc-123'

/**
 * The official Python library (`dify-client`, of release 1.9.2): httpx sends its JSON content type with every call, and
 * `None` in a query as an empty value.
 */
export const pythonSdk: ClientLibrary = {
  jsonType: 'always',
  nullQuery: 'empty',
  calls: [
    {
      name: 'create_dataset',
      key: 'knowledge',
      request: 'POST /datasets',
      json: { name: 'Teas' },
      saves: { dataset: 'id' },
    },
    { name: 'list_datasets', key: 'knowledge', request: 'GET /datasets', query: { page: 1, limit: 20 } },
    {
      name: 'create_document_by_text',
      key: 'knowledge',
      request: `POST ${DATASET}/document/create_by_text`,
      json: {
        indexing_technique: 'economy',
        process_rule: RULE,
        name: 'Green',
        text: 'Green tea is steeped at 80 degrees.',
      },
      saves: { document: 'document.id', batch: 'batch' },
    },
    {
      name: 'batch_indexing_status',
      key: 'knowledge',
      request: `GET ${DATASET}/documents/{batch}/indexing-status`,
      until: { 'data.0.indexing_status': 'completed' },
    },
    {
      name: 'update_document_by_text',
      key: 'knowledge',
      request: `POST ${DOCUMENT}/update_by_text`,
      json: { name: 'Green tea', text: 'Green tea is steeped at 80 degrees. Oolong is steeped at 90.' },
    },
    {
      name: 'batch_indexing_status',
      key: 'knowledge',
      request: `GET ${DATASET}/documents/{batch}/indexing-status`,
      until: { 'data.0.indexing_status': 'completed' },
    },
    {
      name: 'create_document_by_file',
      key: 'knowledge',
      request: `POST ${DATASET}/document/create_by_file`,
      form: { fields: { data: JSON.stringify({ process_rule: RULE, indexing_technique: 'economy' }) }, file: 'tea.md' },
      saves: { fileDocument: 'document.id', fileBatch: 'batch' },
    },
    {
      name: 'update_document_by_file',
      key: 'knowledge',
      request: `POST ${DATASET}/documents/{fileDocument}/update_by_file`,
      form: { fields: { data: '{}' }, file: 'tea.md' },
    },
    {
      name: 'batch_indexing_status',
      key: 'knowledge',
      request: `GET ${DATASET}/documents/{fileBatch}/indexing-status`,
      until: { 'data.0.indexing_status': 'completed' },
    },
    { name: 'list_documents', key: 'knowledge', request: `GET ${DATASET}/documents` },
    {
      name: 'add_segments',
      key: 'knowledge',
      request: `POST ${DOCUMENT}/segments`,
      json: { segments: [{ content: 'White tea is young.', answer: '', keywords: ['white'] }] },
      saves: { segment: 'data.0.id' },
    },
    {
      name: 'query_segments',
      key: 'knowledge',
      request: `GET ${DOCUMENT}/segments`,
      query: { keyword: 'White', status: 'completed' },
    },
    {
      name: 'update_document_segment',
      key: 'knowledge',
      request: `POST ${DOCUMENT}/segments/{segment}`,
      json: { segment: { content: 'White tea is dried.', answer: '', keywords: ['white'], enabled: true } },
    },
    {
      name: 'hit_testing',
      key: 'knowledge',
      request: `POST ${DATASET}/hit-testing`,
      json: {
        query: 'white tea',
        retrieval_model: {
          search_method: 'keyword_search',
          reranking_enable: false,
          reranking_mode: null,
          reranking_model: { reranking_provider_name: '', reranking_model_name: '' },
          weights: null,
          top_k: 2,
          score_threshold_enabled: false,
          score_threshold: null,
        },
      },
    },
    {
      name: 'delete_document_segment',
      key: 'knowledge',
      request: `DELETE ${DOCUMENT}/segments/{segment}`,
      status: 204,
    },
    { name: 'delete_document', key: 'knowledge', request: `DELETE ${DOCUMENT}`, status: 204 },
    { name: 'get_available_models', key: 'knowledge', request: 'GET /workspaces/current/models/model-types/llm' },

    { name: 'get_application_parameters', key: 'chat', request: 'GET /parameters', query: { user } },
    { name: 'get_meta', key: 'chat', request: 'GET /meta', query: { user } },
    { name: 'get_app_info', key: 'chat', request: 'GET /info' },
    {
      name: 'file_upload',
      key: 'chat',
      request: 'POST /files/upload',
      form: { fields: { user }, file: 'tea.txt' },
      status: 201,
      saves: { file: 'id' },
    },
    { name: 'get_file_preview', key: 'chat', request: 'GET /files/{file}/preview' },
    {
      name: 'create_chat_message',
      key: 'chat',
      request: 'POST /chat-messages',
      json: { inputs: {}, query: 'How is oolong steeped?', user, response_mode: 'blocking', files: null },
      saves: { conversation: 'conversation_id', message: 'message_id' },
    },
    {
      name: 'create_chat_message',
      key: 'chat',
      request: 'POST /chat-messages',
      json: {
        inputs: {},
        query: 'And green tea?',
        user,
        response_mode: 'streaming',
        files: null,
        conversation_id: '{conversation}',
      },
      saves: { task: 'task_id' },
    },
    { name: 'stop_message', key: 'chat', request: 'POST /chat-messages/{task}/stop', json: { user } },
    {
      name: 'get_conversations',
      key: 'chat',
      request: 'GET /conversations',
      query: { user, last_id: null, limit: 20, pinned: null },
    },
    {
      // Refused by release 1.16 as well: an empty `limit` is no number.
      name: 'get_conversations',
      key: 'chat',
      request: 'GET /conversations',
      query: { user, last_id: null, limit: null, pinned: null },
      status: 400,
    },
    {
      name: 'get_conversation_messages',
      key: 'chat',
      request: 'GET /messages',
      query: { user, conversation_id: '{conversation}', first_id: null, limit: 20 },
    },
    {
      name: 'message_feedback',
      key: 'chat',
      request: 'POST /messages/{message}/feedbacks',
      json: { rating: 'like', user },
    },
    {
      name: 'message_feedback',
      key: 'chat',
      request: 'POST /messages/{message}/feedbacks',
      json: { rating: null, user },
    },
    {
      name: 'rename_conversation',
      key: 'chat',
      request: 'POST /conversations/{conversation}/name',
      json: { name: 'Teas', auto_generate: false, user },
    },
    {
      name: 'delete_conversation',
      key: 'chat',
      request: 'DELETE /conversations/{conversation}',
      json: { user },
      status: 204,
    },
    {
      name: 'annotation_reply_action',
      key: 'chat',
      request: 'POST /apps/annotation-reply/enable',
      json: { score_threshold: 0.8, embedding_provider_name: 'openai', embedding_model_name: 'text-embedding-3-small' },
      saves: { job: 'job_id' },
    },
    {
      name: 'get_annotation_reply_status',
      key: 'chat',
      request: 'GET /apps/annotation-reply/enable/status/{job}',
      until: { job_status: 'completed' },
    },
    {
      name: 'create_annotation',
      key: 'chat',
      request: 'POST /apps/annotations',
      json: { question: 'Which tea?', answer: 'Green.' },
      saves: { annotation: 'id' },
    },
    { name: 'list_annotations', key: 'chat', request: 'GET /apps/annotations', query: { page: 1, limit: 20 } },
    {
      name: 'update_annotation',
      key: 'chat',
      request: 'PUT /apps/annotations/{annotation}',
      json: { question: 'Which tea?', answer: 'Oolong.' },
    },
    { name: 'delete_annotation', key: 'chat', request: 'DELETE /apps/annotations/{annotation}', status: 204 },

    {
      name: 'create_completion_message',
      key: 'completion',
      request: 'POST /completion-messages',
      json: { inputs: { query: 'Tea is a drink.' }, response_mode: 'blocking', user, files: null },
    },
    {
      name: 'run',
      key: 'workflow',
      request: 'POST /workflows/run',
      json: { inputs: { query: 'How is oolong steeped?' }, response_mode: 'streaming', user },
      saves: { run: 'workflow_run_id', runTask: 'task_id' },
    },
    { name: 'get_result', key: 'workflow', request: 'GET /workflows/run/{run}' },
    { name: 'stop', key: 'workflow', request: 'POST /workflows/tasks/{runTask}/stop', json: { user } },
    { name: 'get_workflow_logs', key: 'workflow', request: 'GET /workflows/logs', query: { page: 1, limit: 20 } },
    { name: 'delete_dataset', key: 'knowledge', request: `DELETE ${DATASET}`, status: 204 },
  ],
  notOffered: [
    { name: 'get_app_site_info', key: 'chat', request: 'GET /site' },
    {
      name: 'text_to_audio',
      key: 'chat',
      request: 'POST /text-to-audio',
      json: { text: 'Tea', user, streaming: false },
    },
    { name: 'audio_to_text', key: 'chat', request: 'POST /audio-to-text', form: { fields: { user }, file: 'tea.txt' } },
    {
      name: 'get_conversation_variables',
      key: 'chat',
      request: 'GET /conversations/{conversation}/variables',
      query: { user },
    },
    {
      name: 'run_specific_workflow',
      key: 'workflow',
      request: 'POST /workflows/{run}/run',
      json: { inputs: {}, user },
    },
    { name: 'list_knowledge_tags', key: 'knowledge', request: 'GET /datasets/tags' },
    { name: 'create_knowledge_tag', key: 'knowledge', request: 'POST /datasets/tags', json: { name: 'tea' } },
    { name: 'get_dataset_metadata', key: 'knowledge', request: `GET ${DATASET}/metadata` },
    { name: 'list_datasource_plugins', key: 'knowledge', request: `GET ${DATASET}/pipeline/datasource-plugins` },
  ],
}
