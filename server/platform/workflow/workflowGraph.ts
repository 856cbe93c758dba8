import { z } from 'zod'
import { FILE_TYPES, InputForm, TRANSFER_METHODS } from '../apps/inputForm.ts'

/** Path of a value: the id of a node, the name of its output, and further names inside it. */
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

/** Sends its text into the answer of a chat; further nodes may follow. */
const AnswerNode = z.strictObject({ ...commonFields, type: z.literal('answer'), answer: z.string().min(1) })

/** Sets variables of the conversation. `append` adds an item to a list, `clear` sets the initial value of the type. */
const AssignerNode = z.strictObject({
  ...commonFields,
  type: z.literal('assigner'),
  items: z
    .array(
      z.discriminatedUnion('operation', [
        z.strictObject({
          operation: z.enum(['over-write', 'append']),
          variable: z.string().min(1),
          value_selector: ValueSelector,
        }),
        z.strictObject({ operation: z.literal('clear'), variable: z.string().min(1) }),
      ]),
    )
    .min(1),
})

/** The initial value of a form field: a text, or a value of the run that is resolved when the form is created. */
const FormFieldDefault = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('constant'), selector: z.array(z.never()).default([]), value: z.string() }),
  z.strictObject({ type: z.literal('variable'), selector: ValueSelector, value: z.literal('').default('') }),
])

const formFieldName = z.string().regex(/^[a-z][a-z0-9_]*$/)
const formFileFields = {
  output_variable_name: formFieldName,
  allowed_file_types: z.array(z.enum(FILE_TYPES)).min(1),
  allowed_file_extensions: z.array(z.string()).default([]),
  allowed_file_upload_methods: z.array(z.enum(TRANSFER_METHODS)).min(1),
}

/** A field of a human input form, as the interface shows it. */
export const FormField = z.discriminatedUnion('type', [
  z.strictObject({
    output_variable_name: formFieldName,
    type: z.literal('paragraph'),
    default: FormFieldDefault.optional(),
  }),
  z.strictObject({
    output_variable_name: formFieldName,
    type: z.literal('select'),
    default: FormFieldDefault.optional(),
    option_source: z.strictObject({
      type: z.literal('constant'),
      selector: z.array(z.never()).default([]),
      value: z.array(z.string().min(1)).min(1),
    }),
  }),
  z.strictObject({ ...formFileFields, type: z.literal('file') }),
  z.strictObject({ ...formFileFields, type: z.literal('file-list'), number_limits: z.int().min(1).max(10) }),
])
export type FormField = z.output<typeof FormField>

const FormAction = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]*$/),
  title: z.string().min(1),
  button_style: z.enum(['primary', 'default', 'accent', 'ghost']),
})
export type FormAction = z.output<typeof FormAction>

/** The outgoing edge of a human input node whose form was not answered in time. */
export const TIMEOUT_EDGE = '__timeout__'

/**
 * Pauses the run until a person has answered its form. Its outgoing edges are selected by the id of the chosen action, or
 * `__timeout__`. In `form_content`, `{{#$output.name#}}` stands for a field of the form.
 */
const HumanInput = z.strictObject({
  ...commonFields,
  type: z.literal('human-input'),
  form_content: z.string().min(1),
  inputs: z.array(FormField),
  actions: z.array(FormAction).min(1),
  timeout: z.int().min(1),
  timeout_unit: z.enum(['hour', 'day']),
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

export const WorkflowNode = z.discriminatedUnion('type', [
  StartNode,
  ...PLAIN_NODE_SCHEMAS,
  Iteration,
  AnswerNode,
  AssignerNode,
  HumanInput,
  EndNode,
])
export type WorkflowNode = z.output<typeof WorkflowNode>
export type WorkflowNodeByType<Type extends WorkflowNode['type']> = Extract<WorkflowNode, { type: Type }>

export interface WorkflowGraph {
  nodes: readonly WorkflowNode[]
  edges: readonly WorkflowEdge[]
}

const CONVERSATION_VARIABLE_TYPES = ['string', 'number', 'boolean', 'object', 'array[string]'] as const
export type ConversationVariableType = (typeof CONVERSATION_VARIABLE_TYPES)[number]

/** A variable whose value a conversation with a chatflow keeps between messages. */
const ConversationVariableDefinition = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  value_type: z.enum(CONVERSATION_VARIABLE_TYPES),
  description: z.string().default(''),
  value: z.unknown(),
})
export type ConversationVariableDefinition = z.output<typeof ConversationVariableDefinition>

/** A workflow application or a chatflow: its metadata, and the graph of one version. */
export const Workflow = z.strictObject({
  /** The id by which a key names the application. */
  id: z.string().regex(/^(workflow|chatflow)(-[a-z]+)*$/),
  /** The id of this version. */
  workflow_id: z.guid(),
  version: z.string().min(1),
  mode: z.enum(['workflow', 'advanced-chat']),
  name: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()),
  author_name: z.string(),
  opening_statement: z.string().default(''),
  suggested_questions: z.array(z.string()).default([]),
  conversation_variables: z.array(ConversationVariableDefinition).default([]),
  graph: z.strictObject({ nodes: z.array(WorkflowNode).min(2), edges: z.array(WorkflowEdge).min(1) }),
})
export type Workflow = z.output<typeof Workflow>

/**
 * Outputs of a human input node in addition to its fields: the chosen action, and the content with the values filled
 * in.
 */
const ACTION_OUTPUTS = ['__action_id', '__action_value', '__rendered_content']

/** The values that every graph can read under `sys`; a chatflow also has those of its message. */
export const listSystemValues = ({ mode }: Pick<Workflow, 'mode'>): string[] => [
  'user_id',
  'app_id',
  'workflow_id',
  'workflow_run_id',
  'files',
  ...(mode === 'advanced-chat' ? ['query', 'conversation_id', 'dialogue_count'] : []),
]

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
    case 'human-input':
      return [...node.inputs.map((field) => field.output_variable_name), ...ACTION_OUTPUTS]
    case 'answer':
      return ['answer']
    case 'assigner':
    case 'end':
      return []
  }
}
