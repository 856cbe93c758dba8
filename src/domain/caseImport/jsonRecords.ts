import type { SuiteTarget } from '#contract/console/suites.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { readJsonRows } from '../tables/jsonTable.ts'
import { readAssertion } from './assertionText.ts'
import { CaseBuilder, findQuestion, hasQuestion } from './caseFields.ts'
import type { CaseRecord, ImportFault } from './caseRecord.ts'
import { isNumeric } from '../losslessJson.ts'

/** Rows of JSON as Langfuse, Ragas or promptfoo write them. */
export function readJsonRecords(text: string, target: SuiteTarget): { records: CaseRecord[]; faults: ImportFault[] } {
  const { rows, problems } = readJsonRows(text)
  return {
    records: rows.flatMap(({ line, record }) => (record ? [toRecord(line, record, target)] : [])),
    faults: problems.map(({ line, message }) => ({ line, column: null, message })),
  }
}

function toRecord(line: number, record: Record<string, unknown>, target: SuiteTarget): CaseRecord {
  const builder = new CaseBuilder(line, target)
  for (const [name, value] of Object.entries(record)) {
    if (name === 'vars' || name === 'input' || name === 'user_input' || name === 'question')
      readInput(builder, name, value, target)
    else if (name === 'expectedOutput' || name === 'expected_output' || name === 'reference')
      builder.setAnswer(name, asRecord(value)?.role === 'assistant' ? asRecord(value)?.content : value)
    else if (name === 'reference_context_ids') readSegments(builder, name, value)
    else if (name === 'description' || name === 'name') builder.setName(name, typeof value === 'string' ? value : '')
    else if (name === 'metadata') readMetadata(builder, value)
    else if (name === 'status' && value === 'ARCHIVED') builder.fail(name, 'The item is archived in Langfuse.')
    else if (name === 'assert') readAssertions(builder, value)
    else builder.use(name, 'left_out')
  }
  return builder.build()
}

/** A text, the variables of an app, or the messages of a conversation, of which the answers are not asked again. */
function readInput(builder: CaseBuilder, name: string, value: unknown, target: SuiteTarget): void {
  const variables = asRecord(value)
  if (variables && hasQuestion(target) && Array.isArray(variables.messages) && Object.keys(variables).length === 1)
    return readInput(builder, `${name}.messages`, variables.messages, target)
  if (variables) {
    const label = (variable: string) => `${name}.${variable}`
    return builder.setVariables(variables, findQuestion(Object.keys(variables)), label)
  }
  if (!hasQuestion(target)) return builder.fail(name, `must be an object with the inputs of the ${target}.`)
  const turns = Array.isArray(value) ? value.flatMap(toHumanMessage) : [value]
  if (turns.length === 0 || !turns.every((turn) => typeof turn === 'string'))
    return builder.fail(name, 'must be a text, an object, or a list of messages.')
  if (turns.length > 1 && target !== 'chat') return builder.fail(name, 'has several turns, which only a chat has.')
  builder.setConversation(name, turns)
}

/** Of Ragas `{type: human, content}`, of others `{role: user, content}`. */
function toHumanMessage(message: unknown): unknown[] {
  const { type, role, content } = asRecord(message) ?? { content: message }
  return ['ai', 'assistant', 'tool', 'system'].includes(String(type ?? role)) ? [] : [content]
}

function readSegments(builder: CaseBuilder, name: string, value: unknown): void {
  if (value === null) return builder.use(name, 'source')
  if (!Array.isArray(value)) return builder.fail(name, 'must be a list of ids.')
  builder.setSegments(
    name,
    value.map((id) => String(id)),
  )
}

function readMetadata(builder: CaseBuilder, value: unknown): void {
  for (const [key, one] of Object.entries(asRecord(value) ?? {})) {
    const isScalar = typeof one === 'string' || isNumeric(one) || typeof one === 'boolean'
    if (key === 'split' && isScalar) builder.setSplit('metadata.split', String(one))
    else if (isScalar) builder.addTag(`metadata.${key}`, `${key}=${String(one)}`)
    else builder.use(`metadata.${key}`, 'left_out')
  }
}

function readAssertions(builder: CaseBuilder, value: unknown): void {
  builder.use('assert', 'check')
  if (!Array.isArray(value)) return builder.fail('assert', 'must be a list of assertions.')
  for (const one of value) builder.addCheck('assert', readAssertion(asRecord(one) ?? {}))
}
