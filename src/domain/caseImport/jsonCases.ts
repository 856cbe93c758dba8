import type { SuiteTarget } from '#contract/console/suites.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { readJsonRows } from '../tables/jsonTable.ts'
import { readAssertion } from './assertionText.ts'
import { type CaseField, findQuestion, hasQuestion, toTag, toVariable } from './caseFields.ts'
import { isNumeric } from '../losslessJson.ts'

/** Rows of JSON as Langfuse, Ragas or promptfoo write them. */
export function readJsonCases(text: string, target: SuiteTarget) {
  const { rows, problems } = readJsonRows(text)
  const toFields = (record: Record<string, unknown>) =>
    Object.entries(record).flatMap(([column, value]) => readField(column, value, target))
  return {
    rows: rows.flatMap(({ line, record }) => (record ? [{ line, fields: toFields(record) }] : [])),
    problems,
  }
}

const INPUTS = ['vars', 'input', 'user_input', 'question']
const ANSWERS = ['expectedOutput', 'expected_output', 'reference']

function readField(column: string, value: unknown, target: SuiteTarget): CaseField | CaseField[] {
  if (INPUTS.includes(column)) return readInput(column, value, target)
  if (ANSWERS.includes(column)) return readAnswer(column, value)
  if (column === 'reference_context_ids') return readSegments(column, value)
  if (column === 'description' || column === 'name')
    return { column, part: 'name', value: typeof value === 'string' ? value.trim() : null }
  if (column === 'metadata') return Object.entries(asRecord(value) ?? {}).map(([key, one]) => readMetadata(key, one))
  if (column === 'assert') return readAssertions(column, value)
  if (column === 'status' && value === 'ARCHIVED') return { column, fault: 'The item is archived in Langfuse.' }
  return { column, part: 'left_out' }
}

/** A text, the variables of an app, or the messages of a conversation, whose answers are dropped. */
function readInput(column: string, value: unknown, target: SuiteTarget): CaseField | CaseField[] {
  const variables = asRecord(value)
  if (variables && hasQuestion(target) && Array.isArray(variables.messages) && Object.keys(variables).length === 1)
    return readInput(`${column}.messages`, variables.messages, target)
  if (variables) {
    const question = findQuestion(Object.keys(variables), target)
    return Object.entries(variables).map(([name, one]) => toVariable(`${column}.${name}`, name, one, question))
  }
  if (!hasQuestion(target)) return { column, fault: `must be an object with the inputs of the ${target}.` }
  const turns = Array.isArray(value) ? value.flatMap(toHumanMessage) : [value]
  if (turns.length === 0 || !turns.every((turn) => typeof turn === 'string'))
    return { column, fault: 'must be a text, an object, or a list of messages.' }
  if (turns.length > 1 && target !== 'chat') return { column, fault: 'has several turns, which only a chat has.' }
  return { column, part: turns.length > 1 ? 'earlier' : 'question', value: turns }
}

/** Ragas writes `{type: human, content}`, others `{role: user, content}`. */
function toHumanMessage(message: unknown): unknown[] {
  const { type, role, content } = asRecord(message) ?? { content: message }
  return ['ai', 'assistant', 'tool', 'system'].includes(String(type ?? role)) ? [] : [content]
}

function readAnswer(column: string, value: unknown): CaseField {
  const message = asRecord(value)
  const answer = message?.role === 'assistant' ? message.content : value
  return { column, part: 'answer', value: typeof answer === 'string' ? answer : JSON.stringify(answer ?? undefined) }
}

function readSegments(column: string, value: unknown): CaseField {
  if (value !== null && !Array.isArray(value)) return { column, fault: 'must be a list of ids.' }
  return { column, part: 'source', value: value?.length ? value.map((id) => ({ id: String(id) })) : null }
}

function readMetadata(key: string, value: unknown): CaseField {
  const column = `metadata.${key}`
  if (typeof value !== 'string' && !isNumeric(value) && typeof value !== 'boolean') return { column, part: 'left_out' }
  return key === 'split'
    ? { column, part: 'split', value: String(value).trim() }
    : toTag(column, `${key}=${String(value)}`)
}

function readAssertions(column: string, value: unknown): CaseField | CaseField[] {
  if (!Array.isArray(value)) return { column, part: 'check', fault: 'must be a list of assertions.' }
  const parsed = value.map((one): CaseField => ({ column, ...readAssertion(asRecord(one) ?? {}) }))
  return [{ column, part: 'check' }, ...parsed]
}
