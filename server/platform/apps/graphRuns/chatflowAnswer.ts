import type { PlatformContext } from '../../platformContext.ts'
import { addUsage, toAnswerUsage, type AnswerUsage } from '../../model/answerUsage.ts'
import type { RetrievalHit } from '../../retrieval/retrievalHit.ts'
import { toRetrieverResources } from '../chat/citations.ts'
import type { Message } from '../chat/conversations.ts'
import { openMessageDraft, type MessageDraft } from '../tasks/messageDraft.ts'
import type { AnswerMetadata } from '../schema.ts'
import type { ChatflowMetadata } from './runState.ts'

/** The answer that a chatflow writes: its text, and what its nodes found and used. */
export interface ChatflowAnswer {
  draft: MessageDraft
  addHits: (hits: readonly RetrievalHit[]) => void
  addUsage: (usage: AnswerUsage) => void
  setAuthor: (name: string) => void
  /** What was collected so far, for a pause. */
  progress: () => ChatflowMetadata
  toAnswer: () => Promise<{ text: string; metadata: AnswerMetadata }>
}

/** The author of an answer without generated text. */
const TEMPLATE_AUTHOR = 'template'

/** @param earlier what was collected before a pause */
export function openChatflowAnswer(
  context: PlatformContext,
  message: Message,
  earlier: ChatflowMetadata | null | undefined,
): ChatflowAnswer {
  const draft = openMessageDraft(context, message.id, message.answer)
  const resources = [...(earlier?.resources ?? [])]
  let usage = earlier?.usage ?? null
  let model = earlier?.model ?? null
  return {
    draft,
    addHits: (hits) => void resources.push(...toRetrieverResources(hits)),
    addUsage(added) {
      usage = usage ? addUsage(usage, added) : added
    },
    setAuthor(name) {
      model = name
    },
    progress: () => ({ resources, usage, model }),
    toAnswer: async () => ({
      text: draft.text(),
      metadata: {
        usage: usage ?? (await toAnswerUsage({ ...NO_USAGE, countTokens: context.countTokens })),
        retriever_resources: resources,
        reasoning: {},
        model: model ?? TEMPLATE_AUTHOR,
      },
    }),
  }
}

const NO_USAGE = { messages: [], answer: '', reported: { prompt_tokens: 0, completion_tokens: 0 }, latency: 0 }
