import {
  listOutputs,
  listSystemValues,
  TIMEOUT_EDGE,
  type WorkflowGraph,
  type WorkflowNode,
  type ValueSelector,
  type Workflow,
} from './workflowGraph.ts'
import { isFormFieldName, listPlaceholders } from './promptTemplate.ts'

/**
 * Defects of a workflow that its schema cannot detect: edges to missing nodes, cycles, unreachable nodes, values that
 * no earlier node outputs. Empty if it can run.
 */
export function validateWorkflow(workflow: Workflow): string[] {
  const { graph, mode } = workflow
  const starts = graph.nodes.filter(({ type }) => type === 'start')
  const [start] = starts
  if (!start || starts.length > 1) return [`there must be one start, there are ${starts.length}`]
  const [last, other] = mode === 'workflow' ? (['end', 'answer'] as const) : (['answer', 'end'] as const)
  if (!graph.nodes.some(({ type }) => type === last)) return [`there must be an ${last}`]
  const misplaced = graph.nodes.filter(({ type }) => type === other)
  if (misplaced.length > 0) return misplaced.map(({ id }) => `${id} is an ${other}, which a ${mode} app cannot have`)
  const ids = graph.nodes.flatMap((node) => [node, ...listInnerNodes(node)]).map(({ id }) => id)
  const duplicateIds = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (duplicateIds.length > 0) return duplicateIds.map((id) => `${id} stands there twice`)
  const variables = workflow.conversation_variables.map(({ name }) => name)
  const common: OutputsByNode = new Map([
    ['sys', listSystemValues(workflow)],
    ['conversation', variables],
  ])
  const unknown = graph.nodes.flatMap((node) =>
    node.type === 'assigner' ? node.items.filter(({ variable }) => !variables.includes(variable)) : [],
  )
  if (unknown.length > 0) return unknown.map(({ variable }) => `${variable} is no variable of the conversation`)
  const reserved = ids.filter((id) => common.has(id))
  if (reserved.length > 0) return reserved.map((id) => `${id} cannot be the id of a node`)
  return [
    ...validateGraph(graph, common),
    ...graph.nodes.flatMap((node) => {
      if (node.type !== 'iteration') return []
      const outerOutputs = new Map([...common, ...listReadableOutputs(graph, node.id)])
      outerOutputs.set(node.id, ['item', 'index'])
      const last = listReadableOutputs(node.graph, null)
      return [
        ...validateGraph(node.graph, outerOutputs),
        ...(isReadable(node.output_selector, last)
          ? []
          : [`${node.id} gives ${node.output_selector.join('.')}, which its nodes do not`]),
      ]
    }),
  ]
}

const listInnerNodes = (node: WorkflowNode): WorkflowNode[] => (node.type === 'iteration' ? node.graph.nodes : [])

/** Outputs by node. */
type OutputsByNode = Map<string, string[]>

function validateGraph(graph: WorkflowGraph, outerOutputs: OutputsByNode): string[] {
  const known = new Set(graph.nodes.map(({ id }) => id))
  const unknownIds = graph.edges.flatMap(({ from, to }) => [from, to]).filter((id) => !known.has(id))
  if (unknownIds.length > 0) return unknownIds.map((id) => `an edge names ${id}, which is no node`)
  const order = toTopologicalOrder(graph)
  if (order.length < graph.nodes.length) return ['the edges go round in a circle']
  return graph.nodes.flatMap((node) => [
    ...validateEdges(graph, node),
    ...validateSelectors(node, new Map([...outerOutputs, ...listReadableOutputs(graph, node.id)])),
  ])
}

function validateEdges({ nodes, edges }: WorkflowGraph, node: WorkflowNode): string[] {
  const into = edges.filter(({ to }) => to === node.id)
  const out = edges.filter(({ from }) => from === node.id)
  const first = nodes[0]?.id === node.id
  const ways = listWaysOut(node)
  return [
    ...(into.length === 0 && !first ? [`${node.id} is never reached`] : []),
    ...(into.length > 0 && first ? [`${node.id} is the first node, and an edge leads to it`] : []),
    ...(node.type === 'end' && out.length > 0 ? [`${node.id} is an end, and an edge leaves it`] : []),
    ...out
      .filter(({ when }) => !ways.includes(when) && !(node.type === 'human-input' && when === TIMEOUT_EDGE))
      .map(({ when }) => `${node.id} has no way out named ${when ?? '(none)'}`),
    ...ways
      .filter((way) => way !== undefined && !out.some(({ when }) => when === way))
      .map((way) => `${node.id} leads nowhere by ${way}`),
  ]
}

/** The names of the edges that must leave a node; undefined is the edge without a name. */
function listWaysOut(node: WorkflowNode): (string | undefined)[] {
  if (node.type === 'if-else') return [...node.cases.map(({ id }) => id), 'else']
  if (node.type === 'human-input') return node.actions.map(({ id }) => id)
  return [undefined]
}

function validateSelectors(node: WorkflowNode, values: OutputsByNode): string[] {
  return listSelectors(node)
    .filter((selector) => !isReadable(selector, values))
    .map((selector) => `${node.id} reads ${selector.join('.')}, which no node before it gives`)
}

const isReadable = ([id = '', output = '']: ValueSelector, values: OutputsByNode): boolean =>
  values.get(id)?.includes(output) ?? false

/** The values available to a node: the outputs of all nodes on the paths to it. With null, those of all nodes. */
function listReadableOutputs({ nodes, edges }: WorkflowGraph, id: string | null): OutputsByNode {
  const before = new Set<string>()
  const visit = (target: string) => {
    for (const { from, to } of edges)
      if (to === target && !before.has(from)) {
        before.add(from)
        visit(from)
      }
  }
  if (id) visit(id)
  return new Map(nodes.filter((node) => id === null || before.has(node.id)).map((node) => [node.id, listOutputs(node)]))
}

function listSelectors(node: WorkflowNode): ValueSelector[] {
  switch (node.type) {
    case 'knowledge-retrieval':
      return [node.query_selector]
    case 'document-extractor':
      return [node.file_selector]
    case 'iteration':
      return [node.iterator_selector]
    case 'if-else':
      return node.cases.flatMap(({ conditions }) => conditions.map(({ variable_selector }) => variable_selector))
    case 'template-transform':
      return listPlaceholders(node.template).map((name) => name.split('.'))
    case 'llm': {
      const { without_model: plan } = node
      const own =
        plan.task === 'answer'
          ? [plan.question_selector, plan.passages_selector]
          : [plan.text_selector, ...(plan.focus_selector ? [plan.focus_selector] : [])]
      const count = typeof plan.sentences === 'number' ? [] : [plan.sentences]
      return [
        ...node.prompt.flatMap(({ text }) => listPlaceholders(text).map((name) => name.split('.'))),
        ...own,
        ...count,
      ]
    }
    case 'answer':
      return listPlaceholders(node.answer).map((name) => name.split('.'))
    case 'assigner':
      return node.items.flatMap((item) => (item.operation === 'clear' ? [] : [item.value_selector]))
    case 'human-input':
      return [
        ...listPlaceholders(node.form_content)
          .filter((name) => !isFormFieldName(name))
          .map((name) => name.split('.')),
        ...node.inputs.flatMap((field) =>
          'default' in field && field.default?.type === 'variable' ? [field.default.selector] : [],
        ),
      ]
    case 'end':
      return node.outputs.map(({ value_selector }) => value_selector)
    case 'start':
      return []
  }
}

/** Topological order of the nodes; those in a cycle are missing. */
export function toTopologicalOrder({ nodes, edges }: WorkflowGraph): WorkflowNode[] {
  const order: WorkflowNode[] = []
  const done = new Set<string>()
  for (let grew = true; grew;) {
    grew = false
    for (const node of nodes) {
      if (done.has(node.id)) continue
      if (edges.every(({ from, to }) => to !== node.id || done.has(from))) {
        order.push(node)
        done.add(node.id)
        grew = true
      }
    }
  }
  return order
}
