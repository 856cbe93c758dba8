import { extractAnswer } from '../model/extractiveAnswer.ts'
import { extractSummary } from '../model/extractiveSummary.ts'
import { toAnswerUsage } from '../model/answerUsage.ts'
import type { WorkflowNodeByType, ValueSelector } from './workflowGraph.ts'
import type { NodeOutcome, NodeScope } from './nodeScope.ts'
import { listPlaceholders, renderTemplate, toDisplayText } from './promptTemplate.ts'
import { isPassages } from './workflowPassage.ts'

/** Generates a text: by the model, or extractive without one. */
export async function executeLlmNode(node: WorkflowNodeByType<'llm'>, scope: NodeScope): Promise<NodeOutcome> {
  const { read, services, signal, onText } = scope
  const values = new Map(
    node.prompt.flatMap(({ text }) => listPlaceholders(text)).map((name) => [name, read(name.split('.'))]),
  )
  const prompts = node.prompt.map(({ role, text }) => ({
    role,
    content: renderTemplate(text, (name) => toPromptValue(values.get(name))),
  }))
  const writer = services.writer(onText !== undefined)
  const startedAt = services.clock()
  let text = ''
  const reportedUsage = await writer.write({
    messages: prompts,
    extract: () => writeWithoutModel(node, scope),
    signal,
    onPiece: (piece) => {
      text += piece
      onText?.(piece, [node.id, 'text'])
    },
  })
  const usage = await toAnswerUsage({
    messages: prompts,
    answer: text,
    reported: reportedUsage,
    latency: (services.clock() - startedAt) / 1000,
    countTokens: services.countTokens,
  })
  return {
    inputs: Object.fromEntries(values),
    process_data: {
      model_mode: 'chat',
      model_name: writer.name,
      prompts: prompts.map(({ role, content }) => ({ role, text: content, files: [] })),
      usage,
      finish_reason: 'stop',
    },
    outputs: { text, usage, finish_reason: 'stop' },
    usage,
  }
}

function writeWithoutModel({ without_model: extraction }: WorkflowNodeByType<'llm'>, { read }: NodeScope): string {
  const maxSentences = toSentenceCount(extraction.sentences, read)
  if (extraction.task === 'summary')
    return extractSummary({
      text: toDisplayText(read(extraction.text_selector)),
      maxSentences,
      focus: extraction.focus_selector && toDisplayText(read(extraction.focus_selector)),
      list: extraction.list,
    })
  const passagesValue = read(extraction.passages_selector)
  return extractAnswer({
    question: toDisplayText(read(extraction.question_selector)),
    earlier: [],
    passages: isPassages(passagesValue)
      ? passagesValue.map(({ content, metadata }) => ({ mark: metadata.position, content, score: metadata.score }))
      : [{ mark: extraction.passages_selector.join('.'), content: toDisplayText(passagesValue), score: 1 }],
    maxSentences,
  })
}

const MIN_SENTENCES = 1
const MAX_SENTENCES = 50

/** A valid number of sentences from any caller's number. */
function toSentenceCount(source: number | ValueSelector, read: NodeScope['read']): number {
  const requested = typeof source === 'number' ? source : Number(read(source) ?? 3)
  return Math.max(MIN_SENTENCES, Math.min(MAX_SENTENCES, Math.round(requested) || MIN_SENTENCES))
}

/** Passages in the prompt have numbers, so that the answer can cite them. */
const toPromptValue = (value: unknown): unknown =>
  isPassages(value)
    ? value.map(({ title, content, metadata }) => `[${metadata.position}] (${title})\n${content}`).join('\n\n') ||
      '(none found)'
    : value
