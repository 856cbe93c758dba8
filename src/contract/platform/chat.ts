import { z } from 'zod'
import { endpoint, Id, PathSegmentId, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { truncateText } from '../truncatedText.ts'

/**
 * Body of operation 14. The interface's default of `response_mode` is streaming; an empty `conversation_id` starts a
 * new conversation.
 */
export const ChatRequest = z.strictObject({
  query: z.string().min(1).max(200_000),
  user: shape.EndUser,
  inputs: shape.objectField.default({}),
  response_mode: shape.ResponseMode.default('streaming'),
  conversation_id: z.union([Id, z.literal('')]).optional(),
  files: z.array(shape.FileInput).optional(),
  auto_generate_name: z.boolean().optional(),
  /** The published version of a chatflow that answers; default: the current one. Not in the interface. */
  workflow_id: z.union([PathSegmentId, z.literal('')]).optional(),
})

/** Chat completion response (blocking chat), and the completion response, which lacks the conversation. */
export const AnswerMessage = shape.looseRecord(
  {},
  {
    event: shape.stringField,
    task_id: shape.stringField,
    id: shape.stringField,
    message_id: shape.stringField,
    conversation_id: shape.stringField,
    mode: shape.openEnum('chat', 'agent-chat', 'advanced-chat', 'completion', 'agent'),
    answer: shape.stringField,
    metadata: shape.MessageMetadata,
    created_at: shape.timestampField,
  },
)

/** Body of operation 15. */
export const ConversationRename = z
  .strictObject({
    user: shape.EndUser,
    name: z.string().trim().min(1).max(255).nullish(),
    auto_generate: z.boolean().default(false),
  })
  .refine((body) => body.auto_generate || body.name, {
    path: ['name'],
    message: 'is required unless auto_generate is true',
  })

export const Conversation = shape.looseRecord(
  { id: shape.stringField },
  {
    name: shape.stringField,
    inputs: shape.objectField,
    status: shape.openEnum('normal'),
    introduction: shape.stringField,
    created_at: shape.timestampField,
    updated_at: shape.timestampField,
  },
)

export const toConversationRef = (conversation: z.output<typeof Conversation>): ResourceRef => ({
  kind: 'conversation',
  id: conversation.id,
  label: conversation.name,
  payload: conversation,
})

export function toAnswerRefs(reply: z.output<typeof AnswerMessage>): ResourceRef[] {
  const { conversation_id, message_id, task_id, metadata } = reply
  return [
    ...(conversation_id ? [{ kind: 'conversation' as const, id: conversation_id }] : []),
    ...(message_id ? [{ kind: 'message' as const, id: message_id, parent: conversation_id }] : []),
    ...(task_id ? [{ kind: 'task' as const, id: task_id, parent: message_id }] : []),
    ...(metadata?.retriever_resources ?? []).flatMap((source): ResourceRef[] => [
      ...(source.dataset_id ? [{ kind: 'dataset' as const, id: source.dataset_id, label: source.dataset_name }] : []),
      ...(source.document_id
        ? [
            {
              kind: 'document' as const,
              id: source.document_id,
              label: source.document_name,
              parent: source.dataset_id,
            },
          ]
        : []),
      ...(source.segment_id
        ? [
            {
              kind: 'segment' as const,
              id: source.segment_id,
              label: source.content && truncateText(source.content, 80),
              parent: source.document_id,
            },
          ]
        : []),
    ]),
  ]
}

export const chatEndpoints = {
  /** Operation 14: sends a chat message. */
  send: endpoint({
    method: 'POST',
    path: '/chat-messages',
    key: 'chat',
    permission: 'run',
    body: ChatRequest,
    reply: AnswerMessage,
    events: 'answer',
    resources: toAnswerRefs,
    invalidates: ['runs', 'conversations'],
  }),
  /** Operation 15: renames a conversation, by hand or by automatic title generation. */
  rename: endpoint({
    method: 'POST',
    path: '/conversations/:conversation_id/name',
    key: 'chat',
    permission: 'run',
    body: ConversationRename,
    reply: Conversation,
    resources: (reply) => [toConversationRef(reply)],
    invalidates: ['conversations'],
  }),
}
