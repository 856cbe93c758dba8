import { outputsOf, type Graph, type Node, type Selector, type Workflow } from './graph.ts'
import { namesIn } from './template.ts'

/**
 * What is wrong with a workflow that its schema cannot see: edges that lead nowhere, rounds, nodes that are never
 * reached, values that no earlier node gives. Empty when it can run.
 */
export function faultsOf({ graph }: Workflow): string[] {
  const starts = graph.nodes.filter(({ type }) => type === 'start')
  const [start] = starts
  if (!start || starts.length > 1) return [`there must be one start, there are ${starts.length}`]
  if (!graph.nodes.some(({ type }) => type === 'end')) return ['there must be an end']
  const ids = graph.nodes.flatMap((node) => [node, ...inner(node)]).map(({ id }) => id)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (twice.length > 0) return twice.map((id) => `${id} stands there twice`)
  return [
    ...faultsOfGraph(graph, new Map()),
    ...graph.nodes.flatMap((node) => {
      if (node.type !== 'iteration') return []
      const outside = valuesAt(graph, node.id)
      outside.set(node.id, ['item', 'index'])
      const last = valuesAt(node.graph, null)
      return [
        ...faultsOfGraph(node.graph, outside),
        ...(reads(node.output_selector, last)
          ? []
          : [`${node.id} gives ${node.output_selector.join('.')}, which its nodes do not`]),
      ]
    }),
  ]
}

const inner = (node: Node): Node[] => (node.type === 'iteration' ? node.graph.nodes : [])

/** Outputs by node. */
type Values = Map<string, string[]>

function faultsOfGraph(graph: Graph, outside: Values): string[] {
  const known = new Set(graph.nodes.map(({ id }) => id))
  const lost = graph.edges.flatMap(({ from, to }) => [from, to]).filter((id) => !known.has(id))
  if (lost.length > 0) return lost.map((id) => `an edge names ${id}, which is no node`)
  const order = orderOf(graph)
  if (order.length < graph.nodes.length) return ['the edges go round in a circle']
  return graph.nodes.flatMap((node) => [
    ...faultsOfEdges(graph, node),
    ...faultsOfValues(node, new Map([...outside, ...valuesAt(graph, node.id)])),
  ])
}

function faultsOfEdges({ nodes, edges }: Graph, node: Node): string[] {
  const into = edges.filter(({ to }) => to === node.id)
  const out = edges.filter(({ from }) => from === node.id)
  const first = nodes[0]?.id === node.id
  const ways: (string | undefined)[] =
    node.type === 'if-else' ? [...node.cases.map(({ id }) => id), 'else'] : [undefined]
  return [
    ...(into.length === 0 && !first ? [`${node.id} is never reached`] : []),
    ...(into.length > 0 && first ? [`${node.id} is the first node, and an edge leads to it`] : []),
    ...(node.type === 'end' && out.length > 0 ? [`${node.id} is an end, and an edge leaves it`] : []),
    ...out
      .filter(({ when }) => !ways.includes(when))
      .map(({ when }) => `${node.id} has no way out named ${when ?? '(none)'}`),
    ...(node.type === 'if-else' ? ways.filter((way) => !out.some(({ when }) => when === way)) : []).map(
      (way) => `${node.id} leads nowhere by ${way}`,
    ),
  ]
}

function faultsOfValues(node: Node, values: Values): string[] {
  return selectorsOf(node)
    .filter((selector) => !reads(selector, values))
    .map((selector) => `${node.id} reads ${selector.join('.')}, which no node before it gives`)
}

const reads = ([id = '', output = '']: Selector, values: Values): boolean => values.get(id)?.includes(output) ?? false

/** The values that a node can read: the outputs of all nodes on the ways to it. With null, those of all nodes. */
function valuesAt({ nodes, edges }: Graph, id: string | null): Values {
  const before = new Set<string>()
  const visit = (target: string) => {
    for (const { from, to } of edges)
      if (to === target && !before.has(from)) {
        before.add(from)
        visit(from)
      }
  }
  if (id) visit(id)
  return new Map(nodes.filter((node) => id === null || before.has(node.id)).map((node) => [node.id, outputsOf(node)]))
}

/** Every value that a node reads. */
function selectorsOf(node: Node): Selector[] {
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
      return namesIn(node.template).map((name) => name.split('.'))
    case 'llm': {
      const { without_model: plan } = node
      const own =
        plan.task === 'answer'
          ? [plan.question_selector, plan.passages_selector]
          : [plan.text_selector, ...(plan.focus_selector ? [plan.focus_selector] : [])]
      const count = typeof plan.sentences === 'number' ? [] : [plan.sentences]
      return [...node.prompt.flatMap(({ text }) => namesIn(text).map((name) => name.split('.'))), ...own, ...count]
    }
    case 'end':
      return node.outputs.map(({ value_selector }) => value_selector)
    case 'start':
      return []
  }
}

/** The nodes in an order in which each stands behind those that lead to it; those in a circle are missing. */
export function orderOf({ nodes, edges }: Graph): Node[] {
  const order: Node[] = []
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
