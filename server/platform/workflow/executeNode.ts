import type { RecordedFile } from '../apps/files/fileRecord.ts'
import type { WorkflowNode, WorkflowNodeByType, NodeCondition } from './workflowGraph.ts'
import { executeLlmNode } from './llmNode.ts'
import { NodeError, type NodeOutcome, type NodeScope } from './nodeScope.ts'
import { listPlaceholders, renderTemplate, toDisplayText } from './promptTemplate.ts'
import { splitPieces } from '../model/textPieces.ts'
import { toWorkflowPassage } from './workflowPassage.ts'

/** Nodes with a single step; the run itself handles the others. */
export type PlainNode = Exclude<WorkflowNode, { type: 'start' | 'iteration' | 'human-input' }>

/** @throws NodeError with the reason */
export function executeNode(node: PlainNode, scope: NodeScope): Promise<NodeOutcome> | NodeOutcome {
  switch (node.type) {
    case 'knowledge-retrieval':
      return executeRetrievalNode(node, scope)
    case 'document-extractor':
      return executeExtractorNode(node, scope)
    case 'if-else':
      return executeConditionNode(node, scope)
    case 'template-transform':
      return executeTemplateNode(node, scope)
    case 'llm':
      return executeLlmNode(node, scope)
    case 'answer':
      return executeAnswerNode(node, scope)
    case 'assigner':
      return executeAssignerNode(node, scope)
    case 'end': {
      const outputs = Object.fromEntries(
        node.outputs.map(({ variable, value_selector }) => [variable, scope.read(value_selector)]),
      )
      return { inputs: outputs, outputs }
    }
  }
}

async function executeRetrievalNode(
  node: WorkflowNodeByType<'knowledge-retrieval'>,
  { read, services }: NodeScope,
): Promise<NodeOutcome> {
  const query = toDisplayText(read(node.query_selector))
  if (!query.trim()) throw new NodeError(`${node.query_selector.join('.')} is empty, so there is nothing to look for.`)
  const hits = await services.retrieve({ query, top_k: node.top_k })
  return { inputs: { query }, outputs: { result: hits.map(toWorkflowPassage) } }
}

async function executeExtractorNode(
  node: WorkflowNodeByType<'document-extractor'>,
  { read, services }: NodeScope,
): Promise<NodeOutcome> {
  const selectorPath = node.file_selector.join('.')
  const fileValue = read(node.file_selector)
  const files = (Array.isArray(fileValue) ? fileValue : [fileValue]).map((file) => requireFile(file, selectorPath))
  const texts: string[] = []
  for (const file of files) texts.push(await services.readText(file))
  return { inputs: { [selectorPath]: fileValue }, outputs: { text: Array.isArray(fileValue) ? texts : texts[0] } }
}

function requireFile(fileValue: unknown, selectorPath: string): RecordedFile {
  if (fileValue === null || fileValue === undefined)
    throw new NodeError(`${selectorPath} holds no file, and this node needs one.`)
  const isFile = typeof fileValue === 'object' && 'transfer_method' in fileValue
  if (!isFile) throw new NodeError(`${selectorPath} holds ${JSON.stringify(fileValue).slice(0, 80)}, which is no file.`)
  return fileValue as RecordedFile
}

function executeConditionNode({ cases }: WorkflowNodeByType<'if-else'>, { read }: NodeScope): NodeOutcome {
  const evaluatedCases = cases.map(({ id, logical_operator, conditions }) => {
    const results = conditions.map((condition) => {
      const actual = read(condition.variable_selector)
      return {
        actual_value: actual,
        expected_value: condition.value ?? null,
        comparison_operator: condition.operator,
        result: evaluateCondition(condition, actual),
      }
    })
    const all = logical_operator === 'and'
    return { id, results, holds: all ? results.every(({ result }) => result) : results.some(({ result }) => result) }
  })
  const chosen = evaluatedCases.find((one) => one.holds)
  const edgeName = chosen?.id ?? 'else'
  return {
    inputs: { conditions: evaluatedCases.flatMap(({ results }) => results) },
    process_data: {
      condition_results: evaluatedCases.map(({ id, results, holds: result }) => ({ case_id: id, result, results })),
    },
    outputs: { result: Boolean(chosen), selected_case_id: edgeName },
    edgeName,
  }
}

/** Sends the text of an answer, except a leading text that was already streamed by its node. */
function executeAnswerNode(
  node: WorkflowNodeByType<'answer'>,
  { read, onText, isLeadingTextSent }: NodeScope,
): NodeOutcome {
  const values = new Map(listPlaceholders(node.answer).map((name) => [name, read(name.split('.'))]))
  const answer = renderTemplate(node.answer, (name) => values.get(name))
  const leading = isLeadingTextSent ? findLeadingText(node) : null
  const sent = leading === null ? 0 : toDisplayText(read([leading, 'text'])).length
  for (const piece of splitPieces(answer.slice(sent))) onText?.(piece, [node.id, 'answer'])
  return { inputs: Object.fromEntries(values), outputs: { answer } }
}

async function executeAssignerNode(
  { items }: WorkflowNodeByType<'assigner'>,
  { read, services }: NodeScope,
): Promise<NodeOutcome> {
  const inputs: Record<string, unknown> = {}
  const updated: { name: string; selector: string[]; new_value: unknown }[] = []
  for (const item of items) {
    const value = item.operation === 'clear' ? null : read(item.value_selector)
    if (item.operation !== 'clear') inputs[item.value_selector.join('.')] = value
    const new_value = await services.assign({ variable: item.variable, operation: item.operation, value })
    updated.push({ name: item.variable, selector: ['conversation', item.variable], new_value })
  }
  return { inputs, process_data: { updated_variables: updated }, outputs: {} }
}

/** The node whose text an answer begins with, if any. */
export function findLeadingText({ answer }: WorkflowNodeByType<'answer'>): string | null {
  const [, node_id] = /^\{\{\s*([a-z][a-z0-9_]*)\.text\s*\}\}/.exec(answer) ?? []
  return node_id ?? null
}

/** Upstream's maximum length of a template's result, in characters. */
const MAX_RESULT_CHARS = 80_000

function executeTemplateNode({ template }: WorkflowNodeByType<'template-transform'>, { read }: NodeScope): NodeOutcome {
  const values = new Map(listPlaceholders(template).map((name) => [name, read(name.split('.'))]))
  const output = renderTemplate(template, (name) => values.get(name))
  if (output.length > MAX_RESULT_CHARS)
    throw new NodeError(`The result has ${output.length} characters. At most ${MAX_RESULT_CHARS} are allowed.`)
  return { inputs: Object.fromEntries(values), outputs: { output } }
}

/** Evaluates a condition for a value. Numbers are compared as numbers, all else as text. */
export function evaluateCondition({ operator, value }: NodeCondition, actual: unknown): boolean {
  switch (operator) {
    case 'empty':
      return isEmpty(actual)
    case 'not empty':
      return !isEmpty(actual)
    case 'is':
      return toDisplayText(actual) === toDisplayText(value)
    case 'is not':
      return toDisplayText(actual) !== toDisplayText(value)
    case 'contains':
      return containsValue(actual, value)
    case 'not contains':
      return !containsValue(actual, value)
    case '>':
      return Number(actual) > Number(value)
    case '<':
      return Number(actual) < Number(value)
    case '≥':
      return Number(actual) >= Number(value)
    case '≤':
      return Number(actual) <= Number(value)
  }
}

function isEmpty(actual: unknown): boolean {
  if (actual === null || actual === undefined || actual === '') return true
  return typeof actual === 'object' && Object.keys(actual).length === 0
}

const containsValue = (actual: unknown, value: NodeCondition['value']): boolean =>
  Array.isArray(actual)
    ? actual.some((item) => toDisplayText(item) === toDisplayText(value))
    : toDisplayText(actual).includes(toDisplayText(value))
