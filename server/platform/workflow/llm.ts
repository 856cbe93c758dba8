import { extract } from '../model/extract.ts'
import { summarise } from '../model/summarise.ts'
import { usageOf } from '../model/usage.ts'
import type { NodeOf, Selector } from './graph.ts'
import type { FoundPassage } from './nodes.ts'
import type { Outcome, Scope } from './scope.ts'
import { namesIn, render, show } from './template.ts'

/** Writes a text: by the model, or extracted where there is none. */
export async function write(node: NodeOf<'llm'>, scope: Scope): Promise<Outcome> {
  const { read, services, signal, onText } = scope
  const values = new Map(node.prompt.flatMap(({ text }) => namesIn(text)).map((name) => [name, read(name.split('.'))]))
  const prompts = node.prompt.map(({ role, text }) => ({
    role,
    content: render(text, (name) => forPrompt(values.get(name))),
  }))
  const writer = services.writer(onText !== undefined)
  const began = services.clock()
  let text = ''
  const said = await writer.write({
    messages: prompts,
    extract: () => withoutModel(node, scope),
    signal,
    onPiece: (piece) => {
      text += piece
      onText?.(piece)
    },
  })
  const usage = await usageOf({
    messages: prompts,
    answer: text,
    said,
    latency: (services.clock() - began) / 1000,
    countTokens: services.countTokens,
  })
  const { total_tokens, total_price, currency } = usage
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
    usage: { total_tokens, total_price, currency },
  }
}

function withoutModel({ without_model: plan }: NodeOf<'llm'>, { read }: Scope): string {
  const most = count(plan.sentences, read)
  if (plan.task === 'summary')
    return summarise({
      text: show(read(plan.text_selector)),
      most,
      focus: plan.focus_selector && show(read(plan.focus_selector)),
      list: plan.list,
    })
  const found = read(plan.passages_selector)
  return extract({
    question: show(read(plan.question_selector)),
    earlier: [],
    passages: isPassages(found)
      ? found.map(({ content, metadata }) => ({ mark: metadata.position, content, score: metadata.score }))
      : [{ mark: plan.passages_selector.join('.'), content: show(found), score: 1 }],
    most,
  })
}

const FEWEST = 1
const MOST = 50

/** A number of sentences, whatever a caller's number is. */
function count(given: number | Selector, read: Scope['read']): number {
  const wanted = typeof given === 'number' ? given : Number(read(given) ?? 3)
  return Math.max(FEWEST, Math.min(MOST, Math.round(wanted) || FEWEST))
}

/** Passages are given to a model with their numbers, as an answer is to cite them. */
const forPrompt = (value: unknown): unknown =>
  isPassages(value)
    ? value.map(({ title, content, metadata }) => `[${metadata.position}] (${title})\n${content}`).join('\n\n') ||
      '(none found)'
    : value

const isPassages = (value: unknown): value is FoundPassage[] =>
  Array.isArray(value) &&
  value.every((item: unknown) => typeof item === 'object' && item !== null && 'metadata' in item && 'content' in item)
