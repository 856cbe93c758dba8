import { z } from 'zod'
import { InputForm } from '../apps/inputForm.ts'

/** Path of a value: the id of a node, the name of its output, and further names inside that. */
const ValueSelector = z.array(z.string().min(1)).min(2)
export type ValueSelector = z.output<typeof ValueSelector>

const commonFields = { id: z.string().regex(/^[a-z][a-z0-9_]*$/), title: z.string().min(1) }

const StartNode = z.strictObject({ ...commonFields, type: z.literal('start'), variables: InputForm })

const KnowledgeRetrieval = z.strictObject({
  ...commonFields,
  type: z.literal('knowledge-retrieval'),
  query_selector: ValueSelector,
  top_k: z.int().min(1).max(20),
})

const DocumentExtractor = z.strictObject({
  ...commonFields,
  type: z.literal('document-extractor'),
  file_selector: ValueSelector,
})

const NodeCondition = z
  .strictObject({
    variable_selector: ValueSelector,
    operator: z.enum(['is', 'is not', 'empty', 'not empty', 'contains', 'not contains', '>', '<', '≥', '≤']),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  })
  .refine(({ operator, value }) => operator.endsWith('empty') === (value === undefined), {
    message: 'has a value unless it asks for emptiness',
  })
export type NodeCondition = z.output<typeof NodeCondition>

/** Its outgoing edges are selected by the id of the matching case, or `else`. */
const IfElse = z.strictObject({
  ...commonFields,
  type: z.literal('if-else'),
  cases: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        logical_operator: z.enum(['and', 'or']).default('and'),
        conditions: z.array(NodeCondition).min(1),
      }),
    )
    .min(1),
})

const TemplateTransform = z.strictObject({
  ...commonFields,
  type: z.literal('template-transform'),
  template: z.string(),
})

/** Extractive generation if no model is configured. Numbers may come from a selector. */
const WithoutModel = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('answer'),
    question_selector: ValueSelector,
    passages_selector: ValueSelector,
    sentences: z.union([z.int().min(1), ValueSelector]),
  }),
  z.strictObject({
    task: z.literal('summary'),
    text_selector: ValueSelector,
    focus_selector: ValueSelector.optional(),
    sentences: z.union([z.int().min(1), ValueSelector]),
    list: z.boolean().default(false),
  }),
])

const Llm = z.strictObject({
  ...commonFields,
  type: z.literal('llm'),
  prompt: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), text: z.string() })).min(1),
  without_model: WithoutModel,
})

const EndNode = z.strictObject({
  ...commonFields,
  type: z.literal('end'),
  outputs: z.array(z.strictObject({ variable: z.string().min(1), value_selector: ValueSelector })).min(1),
})

const WorkflowEdge = z.strictObject({ from: z.string(), to: z.string(), when: z.string().optional() })
export type WorkflowEdge = z.output<typeof WorkflowEdge>

const PLAIN_NODE_SCHEMAS = [KnowledgeRetrieval, DocumentExtractor, IfElse, TemplateTransform, Llm] as const

/**
 * Runs its own graph once per item of a list; `item` and `index` are its outputs inside, `output` is the one outside.
 */
const Iteration = z.strictObject({
  ...commonFields,
  type: z.literal('iteration'),
  iterator_selector: ValueSelector,
  output_selector: ValueSelector,
  graph: z.strictObject({
    nodes: z.array(z.discriminatedUnion('type', [...PLAIN_NODE_SCHEMAS])).min(1),
    edges: z.array(WorkflowEdge),
  }),
})

export const WorkflowNode = z.discriminatedUnion('type', [StartNode, ...PLAIN_NODE_SCHEMAS, Iteration, EndNode])
export type WorkflowNode = z.output<typeof WorkflowNode>
export type WorkflowNodeByType<Type extends WorkflowNode['type']> = Extract<WorkflowNode, { type: Type }>

export interface WorkflowGraph {
  nodes: readonly WorkflowNode[]
  edges: readonly WorkflowEdge[]
}

/** A workflow application: its metadata, and its graph. */
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
  graph: z.strictObject({ nodes: z.array(WorkflowNode).min(2), edges: z.array(WorkflowEdge).min(1) }),
})
export type Workflow = z.output<typeof Workflow>

/** The outputs of a node, by its type; those of the start are its variables. */
export function listOutputs(node: WorkflowNode): string[] {
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
