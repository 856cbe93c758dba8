import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXAMPLE_CHATFLOWS, EXAMPLE_WORKFLOWS, parseWorkflow } from './exampleWorkflows.ts'
import type { Workflow } from './workflowGraph.ts'
import { validateWorkflow } from './validateWorkflow.ts'

const text = (name: string) => readFileSync(new URL(`./definitions/${name}.json`, import.meta.url), 'utf8')
const read = (name: string) => parseWorkflow(name, text(name))

/** The example with something changed in it. */
function validateChanged(name: string, change: (graph: Graph) => unknown): string[] {
  const workflow = structuredClone(read(name))
  change(workflow.graph)
  return validateWorkflow(workflow)
}

test('every example can run, and has a workflow of its own', () => {
  const examples = [...EXAMPLE_WORKFLOWS, ...EXAMPLE_CHATFLOWS]
  expect(new Set(examples.map(({ workflow_id }) => workflow_id)).size).toBe(examples.length)
  expect(examples.flatMap(validateWorkflow)).toEqual([])
})

type Graph = Workflow['graph']
type GraphNode = Graph['nodes'][number]
type NodeOf<Type extends GraphNode['type']> = Extract<GraphNode, { type: Type }>

const addNode = (node: GraphNode) => (graph: Graph) => graph.nodes.push(node)
const addEdge = (from: string, to: string, when?: string) => (graph: Graph) =>
  graph.edges.push({ from, to, ...(when ? { when } : {}) })
const removeEdges = (part: Partial<Graph['edges'][number]>) => (graph: Graph) => {
  graph.edges = graph.edges.filter(({ to, when }) => to !== part.to && when !== part.when)
}
const setNode =
  <Type extends GraphNode['type']>(type: Type, change: Partial<NodeOf<Type>>) =>
  (graph: Graph) => {
    for (const node of graph.nodes) if (node.type === type) Object.assign(node, change)
  }
const title = 'x'
const LATE: GraphNode = { id: 'late', type: 'template-transform', title, template: '{{sorry.output}}' }
const LATER_FORM = '{{later.text}}{{#$output.comment#}}'

test.each<[string, string, (graph: Graph) => unknown, string]>([
  [
    'a second start',
    'answer',
    addNode({ id: 'again', type: 'start', title, variables: [] }),
    'there must be one start',
  ],
  ['no end', 'digest', (graph) => graph.nodes.splice(3), 'there must be an end'],
  ['two nodes of one id', 'answer', addNode({ ...LATE, id: 'retrieve' }), 'retrieve stands there twice'],
  ['an edge to nowhere', 'answer', addEdge('start', 'moon'), 'an edge names moon, which is no node'],
  ['a circle', 'answer', addEdge('answer', 'retrieve'), 'the edges go round in a circle'],
  ['a node that nothing leads to', 'answer', removeEdges({ to: 'sorry' }), 'sorry is never reached'],
  ['a way that leads nowhere', 'answer', removeEdges({ when: 'else' }), 'found leads nowhere by else'],
  ['a way that does not exist', 'answer', addEdge('retrieve', 'sorry', 'perhaps'), 'has no way out named perhaps'],
  ['an end that goes on', 'answer', addEdge('end_found', 'end_none'), 'end_found is an end, and an edge leaves it'],
  ['a value of a node on another branch', 'answer', addNode(LATE), 'late reads sorry.output, which no node before it'],
  [
    'an output that a node does not have',
    'answer',
    setNode('knowledge-retrieval', { query_selector: ['start', 'question'] }),
    'retrieve reads start.question, which no node before it gives',
  ],
  [
    'an iteration that gives what its nodes do not',
    'digest',
    setNode('iteration', { output_selector: ['start', 'files'] }),
    'each gives start.files, which its nodes do not',
  ],
  ['an action that leads nowhere', 'approval', removeEdges({ when: 'send_back' }), 'review leads nowhere by send_back'],
  [
    'a form that reads what no node gives',
    'approval',
    setNode('human-input', { form_content: LATER_FORM }),
    'review reads later.text, which no node before it gives',
  ],
  [
    'an answer in a workflow',
    'approval',
    addNode({ id: 'reply', type: 'answer', title, answer: 'x' }),
    'reply is an answer, which a workflow app cannot have',
  ],
  [
    'a variable that the conversation does not have',
    'reviewedAnswer',
    setNode('assigner', { items: [{ operation: 'clear', variable: 'mood' }] }),
    'mood is no variable of the conversation',
  ],
])('%s is a fault', (_, name, change, fault) => {
  expect(validateChanged(name, change).join('\n')).toContain(fault)
})

test('a definition that is not right does not load, and the message says where', () => {
  expect(() => parseWorkflow('x', '{}')).toThrow(/The workflow x is not right[\s\S]*workflow_id/)
  const workflow = JSON.parse(text('answer')) as { graph: { edges: { to: string }[] } }
  workflow.graph.edges[0] = { ...workflow.graph.edges[0], to: 'moon' }
  expect(() => parseWorkflow('x', JSON.stringify(workflow))).toThrow(/The workflow x cannot run:\nan edge names moon/)
})
