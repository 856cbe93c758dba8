import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXAMPLE_CHATFLOWS, EXAMPLE_WORKFLOWS, parseWorkflow } from './exampleWorkflows.ts'
import type { Workflow } from './workflowGraph.ts'
import { validateWorkflow } from './validateWorkflow.ts'

const text = (name: string) => readFileSync(new URL(`./definitions/${name}.json`, import.meta.url), 'utf8')
const read = (name: string) => parseWorkflow(name, text(name))

/** The example with something changed in it. */
function validateChanged(name: string, change: (graph: Workflow['graph']) => void): string[] {
  const workflow = structuredClone(read(name))
  change(workflow.graph)
  return validateWorkflow(workflow)
}

test('every example can run, and has a workflow of its own', () => {
  const examples = [...EXAMPLE_WORKFLOWS, ...EXAMPLE_CHATFLOWS]
  expect(new Set(examples.map(({ workflow_id }) => workflow_id)).size).toBe(examples.length)
  expect(examples.flatMap(validateWorkflow)).toEqual([])
})

test.each<[string, string, (graph: Workflow['graph']) => void, string]>([
  [
    'a second start',
    'answer',
    ({ nodes }) => nodes.push({ id: 'again', type: 'start', title: 'x', variables: [] }),
    'there must be one start, there are 2',
  ],
  ['no end', 'digest', (graph) => graph.nodes.splice(3), 'there must be an end'],
  [
    'two nodes of one id',
    'answer',
    ({ nodes }) => nodes.push(structuredClone(nodes[1] as Workflow['graph']['nodes'][number])),
    'retrieve stands there twice',
  ],
  [
    'an edge to nowhere',
    'answer',
    ({ edges }) => edges.push({ from: 'start', to: 'moon' }),
    'an edge names moon, which is no node',
  ],
  [
    'a circle',
    'answer',
    ({ edges }) => edges.push({ from: 'answer', to: 'retrieve' }),
    'the edges go round in a circle',
  ],
  [
    'a node that nothing leads to',
    'answer',
    (graph) => (graph.edges = graph.edges.filter(({ to }) => to !== 'sorry')),
    'sorry is never reached',
  ],
  [
    'a way that leads nowhere',
    'answer',
    (graph) => (graph.edges = graph.edges.filter(({ when }) => when !== 'else')),
    'found leads nowhere by else',
  ],
  [
    'a way that does not exist',
    'answer',
    ({ edges }) => edges.push({ from: 'retrieve', to: 'sorry', when: 'perhaps' }),
    'retrieve has no way out named perhaps',
  ],
  [
    'an end that goes on',
    'answer',
    ({ edges }) => edges.push({ from: 'end_found', to: 'end_none' }),
    'end_found is an end, and an edge leaves it',
  ],
  [
    'a value of a node on another branch',
    'answer',
    ({ nodes }) => nodes.push({ id: 'late', type: 'template-transform', title: 'x', template: '{{sorry.output}}' }),
    'late reads sorry.output, which no node before it gives',
  ],
  [
    'an output that a node does not have',
    'answer',
    ({ nodes }) => {
      for (const node of nodes) if (node.type === 'knowledge-retrieval') node.query_selector = ['start', 'question']
    },
    'retrieve reads start.question, which no node before it gives',
  ],
  [
    'an iteration that gives what its nodes do not',
    'digest',
    ({ nodes }) => {
      for (const node of nodes) if (node.type === 'iteration') node.output_selector = ['start', 'files']
    },
    'each gives start.files, which its nodes do not',
  ],
  [
    'an action that leads nowhere',
    'approval',
    (graph) => (graph.edges = graph.edges.filter(({ when }) => when !== 'send_back')),
    'review leads nowhere by send_back',
  ],
  [
    'a form that reads what no node gives',
    'approval',
    ({ nodes }) => {
      for (const node of nodes)
        if (node.type === 'human-input') node.form_content = '{{later.text}}{{#$output.comment#}}'
    },
    'review reads later.text, which no node before it gives',
  ],
  [
    'an answer in a workflow',
    'approval',
    ({ nodes }) => nodes.push({ id: 'reply', type: 'answer', title: 'x', answer: 'x' }),
    'reply is an answer, which a workflow app cannot have',
  ],
  [
    'a variable that the conversation does not have',
    'reviewedAnswer',
    ({ nodes }) => {
      for (const node of nodes) if (node.type === 'assigner') node.items = [{ operation: 'clear', variable: 'mood' }]
    },
    'mood is no variable of the conversation',
  ],
])('%s is a fault', (_, name, change, fault) => {
  expect(validateChanged(name, change)).toContain(fault)
})

test('a definition that is not right does not load, and the message says where', () => {
  expect(() => parseWorkflow('x', '{}')).toThrow(/The workflow x is not right[\s\S]*workflow_id/)
  const workflow = JSON.parse(text('answer')) as { graph: { edges: { to: string }[] } }
  workflow.graph.edges[0] = { ...workflow.graph.edges[0], to: 'moon' }
  expect(() => parseWorkflow('x', JSON.stringify(workflow))).toThrow(/The workflow x cannot run:\nan edge names moon/)
})
