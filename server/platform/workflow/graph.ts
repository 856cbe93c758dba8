import { z } from 'zod'
import { Form } from '../apps/form.ts'

/** Where a value stands: the id of a node, the name of its output, and further names inside that. */
const Selector = z.array(z.string().min(1)).min(2)
export type Selector = z.output<typeof Selector>

const common = { id: z.string().regex(/^[a-z][a-z0-9_]*$/), title: z.string().min(1) }

const Start = z.strictObject({ ...common, type: z.literal('start'), variables: Form })

const KnowledgeRetrieval = z.strictObject({
  ...common,
  type: z.literal('knowledge-retrieval'),
  query_selector: Selector,
  top_k: z.int().min(1).max(20),
})

const DocumentExtractor = z.strictObject({ ...common, type: z.literal('document-extractor'), file_selector: Selector })

const Condition = z
  .strictObject({
    variable_selector: Selector,
    operator: z.enum(['is', 'is not', 'empty', 'not empty', 'contains', 'not contains', '>', '<', '≥', '≤']),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  })
  .refine(({ operator, value }) => operator.endsWith('empty') === (value === undefined), {
    message: 'has a value unless it asks for emptiness',
  })
export type Condition = z.output<typeof Condition>

/** Its edges leave by the id of the case that holds, or by `else`. */
const IfElse = z.strictObject({
  ...common,
  type: z.literal('if-else'),
  cases: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        logical_operator: z.enum(['and', 'or']).default('and'),
        conditions: z.array(Condition).min(1),
      }),
    )
    .min(1),
})

const TemplateTransform = z.strictObject({ ...common, type: z.literal('template-transform'), template: z.string() })

/** How the text is made where no model is configured. Numbers may come from a selector. */
const WithoutModel = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('answer'),
    question_selector: Selector,
    passages_selector: Selector,
    sentences: z.union([z.int().min(1), Selector]),
  }),
  z.strictObject({
    task: z.literal('summary'),
    text_selector: Selector,
    focus_selector: Selector.optional(),
    sentences: z.union([z.int().min(1), Selector]),
    list: z.boolean().default(false),
  }),
])

const Llm = z.strictObject({
  ...common,
  type: z.literal('llm'),
  prompt: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), text: z.string() })).min(1),
  without_model: WithoutModel,
})

const End = z.strictObject({
  ...common,
  type: z.literal('end'),
  outputs: z.array(z.strictObject({ variable: z.string().min(1), value_selector: Selector })).min(1),
})

const Edge = z.strictObject({ from: z.string(), to: z.string(), when: z.string().optional() })
export type Edge = z.output<typeof Edge>

const PLAIN = [KnowledgeRetrieval, DocumentExtractor, IfElse, TemplateTransform, Llm] as const

/** Runs its own graph once for each item of a list; `item` and `index` are its outputs inside, `output` is the one outside. */
const Iteration = z.strictObject({
  ...common,
  type: z.literal('iteration'),
  iterator_selector: Selector,
  output_selector: Selector,
  graph: z.strictObject({ nodes: z.array(z.discriminatedUnion('type', [...PLAIN])).min(1), edges: z.array(Edge) }),
})

export const Node = z.discriminatedUnion('type', [Start, ...PLAIN, Iteration, End])
export type Node = z.output<typeof Node>
export type NodeOf<Type extends Node['type']> = Extract<Node, { type: Type }>

export interface Graph {
  nodes: readonly Node[]
  edges: readonly Edge[]
}

/** A workflow application: what it is called, and the graph that it runs. */
export const Workflow = z.strictObject({
  /** The id by which a key names the application. */
  id: z.string().regex(/^workflow(-[a-z]+)*$/),
  workflow_id: z.guid(),
  version: z.string().min(1),
  mode: z.literal('workflow'),
  name: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()),
  author_name: z.string(),
  graph: z.strictObject({ nodes: z.array(Node).min(2), edges: z.array(Edge).min(1) }),
})
export type Workflow = z.output<typeof Workflow>

/** The outputs that a node gives, by its type; those of the start are its variables. */
export function outputsOf(node: Node): string[] {
  switch (node.type) {
    case 'start':
      return node.variables.flatMap((entry) => Object.values(entry).map((control) => control.variable))
    case 'knowledge-retrieval':
      return ['result']
    case 'document-extractor':
    case 'llm':
      return ['text']
    case 'if-else':
      return ['result', 'selected_case_id']
    case 'template-transform':
    case 'iteration':
      return ['output']
    case 'end':
      return []
  }
}
