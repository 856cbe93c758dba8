import { z } from 'zod'
import { emptyAnswer, foldAnswer } from './answer.ts'
import { endpoint, events, Id, type Named } from './endpoint.ts'
import * as shape from './shapes.ts'

/** Body of operation 14. The interface's default of `response_mode` is streaming; an empty `conversation_id` begins a new one. */
export const ChatRequest = z.strictObject({
  query: z.string().min(1).max(200_000),
  user: shape.User,
  inputs: shape.object.default({}),
  response_mode: shape.ResponseMode.default('streaming'),
  conversation_id: z.union([Id, z.literal('')]).optional(),
  files: z.array(shape.FileInput).optional(),
  auto_generate_name: z.boolean().optional(),
})

/** Chat completion response (blocking chat), and the completion response, which lacks the conversation. */
export const AnswerReply = shape.record(
  {},
  {
    event: shape.text,
    task_id: shape.text,
    id: shape.text,
    message_id: shape.text,
    conversation_id: shape.text,
    mode: shape.word('chat', 'agent-chat', 'advanced-chat', 'completion', 'agent'),
    answer: shape.text,
    metadata: shape.Metadata,
    created_at: shape.timestamp,
  },
)

/** Body of operation 15. */
export const ConversationRename = z
  .strictObject({
    user: shape.User,
    name: z.string().trim().min(1).max(255).nullish(),
    auto_generate: z.boolean().default(false),
  })
  .refine((body) => body.auto_generate || body.name, {
    path: ['name'],
    message: 'is required unless auto_generate is true',
  })

/** Conversation item. */
export const Conversation = shape.record(
  { id: shape.text },
  {
    name: shape.text,
    inputs: shape.object,
    status: shape.word('normal'),
    introduction: shape.text,
    created_at: shape.timestamp,
    updated_at: shape.timestamp,
  },
)

export const nameConversation = (conversation: z.output<typeof Conversation>): Named => ({
  kind: 'conversation',
  id: conversation.id,
  label: conversation.name,
  payload: conversation,
})

/** The messages, tasks and citations that an answer names. */
export function nameAnswer(reply: z.output<typeof AnswerReply>): Named[] {
  const { conversation_id, message_id, task_id, metadata } = reply
  return [
    ...(conversation_id ? [{ kind: 'conversation' as const, id: conversation_id }] : []),
    ...(message_id ? [{ kind: 'message' as const, id: message_id, parent: conversation_id }] : []),
    ...(task_id ? [{ kind: 'task' as const, id: task_id, parent: message_id }] : []),
    ...(metadata?.retriever_resources ?? []).flatMap((source): Named[] => [
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
              label: source.content?.slice(0, 80),
              parent: source.document_id,
            },
          ]
        : []),
    ]),
  ]
}

export const chat = {
  /** Operation 14: sends a chat message. */
  send: endpoint({
    method: 'POST',
    path: '/chat-messages',
    key: 'chat',
    permission: 'run',
    body: ChatRequest,
    reply: AnswerReply,
    events: events(emptyAnswer, foldAnswer),
    names: nameAnswer,
    touches: ['runs', 'conversations'],
  }),
  /** Operation 15: renames a conversation, by hand or by automatic title generation. */
  rename: endpoint({
    method: 'POST',
    path: '/conversations/:conversation_id/name',
    key: 'chat',
    permission: 'run',
    body: ConversationRename,
    reply: Conversation,
    names: (reply) => [nameConversation(reply)],
    touches: ['conversations'],
  }),
}
