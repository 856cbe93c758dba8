import type { SuiteTarget } from '#contract/console/suites.ts'
import { findJsonEnd } from '../checks/jsonValue.ts'
import { asJson, asRecord } from '../stream/untrustedJson.ts'
import { readAssertion } from './assertionText.ts'
import { CaseBuilder, findQuestion, hasQuestion } from './caseFields.ts'
import type { CaseRecord, ImportFault } from './caseRecord.ts'
import { isNumeric, parseLosslessJson } from '../losslessJson.ts'

/** JSON Lines, an object a line, as Langfuse, Ragas or promptfoo write it; or the same objects as one JSON list. */
export function readJsonRecords(text: string, target: SuiteTarget): { records: CaseRecord[]; faults: ImportFault[] } {
  const records: CaseRecord[] = []
  const faults: ImportFault[] = []
  const list = readJsonList(text)
  if (!list && /^\s*\[/.test(text)) return { records, faults: [findListFault(text)] }
  if (list && (list.length === 0 || !list.every(asRecord)))
    return { records, faults: [{ line: 1, column: null, message: 'Every item of the list must be an object.' }] }
  for (const { line, json } of list ? listItems(text) : listLines(text)) {
    const record = asRecord(parseJson(json))
    if (record) records.push(toRecord(line, record, target))
    else faults.push({ line, column: null, message: 'must be one JSON object on one line.' })
  }
  return { records, faults }
}

/** What begins as a list of objects is meant as JSON, even where it is not valid. */
export const isJsonText = (text: string): boolean => /^\s*(\{|\[\s*(\{|$))/.test(text) || readJsonList(text) !== null

const readJsonList = (text: string): unknown[] | null => {
  const value = /^\s*\[/.test(text) ? parseJson(text) : null
  return Array.isArray(value) ? value : null
}

function parseJson(text: string): unknown {
  try {
    return asJson(parseLosslessJson(text))
  } catch {
    return undefined
  }
}

const listLines = (text: string): { line: number; json: string }[] =>
  text
    .split(LINE_END)
    .map((json, index) => ({ line: index + 1, json }))
    .filter(({ json }) => json.trim() !== '')

/** The objects of a JSON list, with the line on which each begins. */
function* listItems(text: string): Generator<{ line: number; json: string }> {
  let line = 1
  let at = 0
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', at)) {
    line += text.slice(at, start).split(LINE_END).length - 1
    at = findJsonEnd(text, start)
    const json = text.slice(start, at)
    yield { line, json }
    line += json.split(LINE_END).length - 1
  }
}

/** The first place at which a list is not valid. */
function findListFault(text: string): ImportFault {
  const fail = (place: number, message: string) => ({
    line: text.slice(0, place).split(LINE_END).length,
    column: null,
    message,
  })
  let at = 0
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', at)) {
    if (text.slice(at, start).trim() !== (at === 0 ? '[' : ','))
      return fail(at, 'One comma must be between the objects of the list, and nothing else.')
    at = findJsonEnd(text, start)
    if (at === -1 || parseJson(text.slice(start, at)) === undefined) return fail(start, 'must be a valid JSON object.')
  }
  return fail(at, 'The list must end with ] after its last object.')
}

const LINE_END = /\r\n|\n|\r/

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
