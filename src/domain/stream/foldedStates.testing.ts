import { z } from 'zod'
import type { AnswerState } from '../answer/answerState.ts'
import { RetrieverResource, Usage } from '#contract/platform/schemas.ts'

/** Schema of a valid folded state, for any input: every field present, of its type, and JSON-safe. */

const text = z.string().nullable()
const number = z.number().nullable()
const unknowns = z.array(z.strictObject({ event: z.string(), count: z.int().min(1), sample: z.unknown() })).max(101)
const problem = z.strictObject({ status: number, code: text, message: text }).nullable()

const gaps = z
  .array(z.strictObject({ after_frame: z.number(), from_ms: z.number(), to_ms: z.number(), after_chars: number }))
  .optional()

const Log = z.strictObject({
  id: z.string(),
  parent_id: text,
  label: text,
  status: text,
  error: text,
  data: z.unknown(),
  metadata: z.unknown(),
})
const Node = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(['node', 'iteration', 'loop']),
  node_id: text,
  node_type: text,
  title: text,
  index: number,
  predecessor_node_id: text,
  status: z.string().min(1),
  inputs: z.unknown(),
  process_data: z.unknown(),
  outputs: z.unknown(),
  error: text,
  elapsed_time: number,
  created_at: number,
  finished_at: number,
  execution_metadata: z.record(z.string(), z.unknown()).nullable(),
  files: z.array(z.unknown()),
  parent: text,
  round: number,
  rounds: z.number().min(0),
  retries: z.array(z.strictObject({ retry_index: number, error: text, elapsed_time: number })),
  logs: z.array(Log).refine(differ, 'two logs have one id'),
  is_cut: z.literal(true).optional(),
})

const Thought = z.strictObject({
  id: z.string(),
  position: number,
  thought: text,
  observation: text,
  tool: text,
  tool_labels: z.unknown(),
  tool_input: text,
  message_files: z.array(z.string()),
})

export const ValidRun = z
  .strictObject({
    workflow_run_id: text,
    workflow_id: text,
    task_id: text,
    status: text,
    inputs: z.unknown(),
    outputs: z.unknown(),
    error: text,
    elapsed_time: number,
    total_tokens: number,
    total_steps: number,
    created_at: number,
    finished_at: number,
    exceptions_count: number,
    text: z.string(),
    reasoning: z.string(),
    files: z.array(z.unknown()),
    nodes: z.array(Node).refine(differ, 'two nodes have one id'),
    forms: z.array(z.looseObject({ event: z.string() })),
    paused: z.strictObject({ reasons: z.unknown(), paused_nodes: z.unknown() }).nullable(),
    problem,
    ended: z.boolean(),
    late: z.int().min(0),
    unknown: unknowns,
    cut: z.array(z.string()).optional(),
    gaps,
    told: z.strictObject({ at: z.string(), elsewhere: z.boolean(), because: text }).nullable(),
  })
  .refine((run) => run.ended || (run.problem === null && run.paused === null), 'a problem or a pause without an end')

export const ValidAnswer = z
  .strictObject({
    text: z.string(),
    by_agent: z.boolean(),
    steps: z.array(z.strictObject({ thought: z.string(), start: z.int().min(0) })).optional(),
    replaced: text,
    conversation_id: text,
    message_id: text,
    task_id: text,
    created_at: number,
    mode: text,
    thoughts: z.array(Thought).refine(differ, 'two thoughts have one id'),
    files: z.array(
      z.strictObject({
        id: text,
        type: text,
        belongs_to: text,
        url: text,
        filename: z.string().optional(),
        mime_type: z.string().optional(),
        size: z.number().optional(),
      }),
    ),
    reasoning: z.string(),
    usage: Usage.nullable(),
    sources: z.array(RetrieverResource),
    annotation_reply: z.unknown(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    run: ValidRun,
    run_after_end: ValidRun.optional(),
    problem,
    ended: z.boolean(),
    late: z.int().min(0),
    unknown: unknowns,
    cut: z.array(z.string()).optional(),
    gaps,
  } satisfies Record<keyof AnswerState, z.ZodType>)
  .refine((answer) => answer.ended || answer.problem === null, 'a problem without an end')

function differ(items: { id: string }[]): boolean {
  return new Set(items.map(({ id }) => id)).size === items.length
}

/** Throws unless the state is valid and plain: it survives a JSON round trip. */
export function expectValid(schema: z.ZodType, state: unknown): void {
  schema.parse(state)
  const text = JSON.stringify(state)
  if (JSON.stringify(JSON.parse(text)) !== text) throw new Error('the state does not survive JSON')
}
