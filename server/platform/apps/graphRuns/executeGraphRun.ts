import { drizzle } from 'drizzle-orm/node-postgres'
import { eq } from 'drizzle-orm'
import { sanitizeInput } from '../../sanitizeInput.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toErrorBody } from '../../platformErrors.ts'
import { createAnswerWriter } from '../../model/answerWriter.ts'
import type { FormSubmission } from '../../workflow/humanInput.ts'
import { runWorkflow, type WorkflowPause, type WorkflowRunEnd } from '../../workflow/runWorkflow.ts'
import type { NodeServices } from '../../workflow/nodeScope.ts'
import type { Workflow } from '../../workflow/workflowGraph.ts'
import type { Message } from '../chat/conversations.ts'
import type { ConversationVariables } from '../chat/conversationVariables.ts'
import { readFileText } from '../files/fileTexts.ts'
import { isUserStop, toRunError } from '../tasks/generateAnswer.ts'
import type { Task } from '../tasks/tasks.ts'
import { humanInputForms, workflowRuns, type AnswerMetadata } from '../schema.ts'
import { openChatflowAnswer, type ChatflowAnswer } from './chatflowAnswer.ts'
import { toFormValues } from './forms.ts'
import type { ActiveRuns } from './activeRuns.ts'
import {
  toFinishedData,
  toMessageEnvelope,
  toPauseEvents,
  type HumanInputFormRow,
  type WorkflowRunRow,
} from './runReplies.ts'
import { RunRecord, type StoredRunState } from './runState.ts'

export interface GraphRun {
  workflow: Workflow
  run: WorkflowRunRow
  /** Milliseconds between two pieces of a streamed text that is extracted. */
  pace_ms: number
  /** The message that a chatflow answers, and the variables of its conversation; null for a workflow. */
  chat: { message: Message; variables: ConversationVariables } | null
  /** Continues the run after a pause. */
  resumption: { state: StoredRunState; submission: FormSubmission } | null
}

export interface GraphRunResult {
  run: WorkflowRunRow
  /** The form that the run waits for; null if it has ended. */
  form: HumanInputFormRow | null
  /** The text and the metadata of a chatflow's answer. */
  answer: { text: string; metadata: AnswerMetadata } | null
}

/**
 * Runs the graph of a workflow or chatflow to its end or a pause. Its state is stored before the event that reports
 * it. The run is active in the same tick as the call.
 * @throws PlatformError with the content of the error event, if the run itself could not be handled
 */
export async function executeGraphRun(
  context: PlatformContext,
  activeRuns: ActiveRuns,
  task: Task,
  input: GraphRun,
): Promise<GraphRunResult> {
  const stretch = new RunStretch(context, task, input)
  activeRuns.add(input.run.id, stretch)
  try {
    return await stretch.execute()
  } finally {
    activeRuns.remove(input.run.id)
  }
}

/** The part of a run between its start or resumption, and its end or pause. */
class RunStretch {
  readonly task: Task
  readonly #context: PlatformContext
  readonly #input: GraphRun
  readonly #record: RunRecord
  /** The values of the platform, `sys.user_id` and others. */
  readonly #system: Record<string, unknown>
  readonly #answer: ChatflowAnswer | null
  readonly #beganAt: number
  /** When the last node started, in epoch ms: for a paused run, the one that waits. */
  #nodeBeganAt: number
  #isPaused = false

  constructor(context: PlatformContext, task: Task, input: GraphRun) {
    this.task = task
    this.#context = context
    this.#input = input
    this.#record = new RunRecord(input.resumption?.state.nodes)
    this.#answer = input.chat && openChatflowAnswer(context, input.chat.message, input.resumption?.state.chatflow)
    this.#system = input.run.state?.system ?? {}
    this.#beganAt = context.clock()
    this.#nodeBeganAt = this.#beganAt
  }

  isPaused(): boolean {
    return this.#isPaused
  }

  snapshot() {
    const { run, chat } = this.#input
    const state = { system: this.#system, nodes: this.#record.nodes }
    return { run, message: chat?.message ?? null, text: this.#answer?.draft.text() ?? '', state, form: null }
  }

  async execute(): Promise<GraphRunResult> {
    const { run, resumption } = this.#input
    this.#emit('workflow_started', {
      id: run.id,
      workflow_id: run.workflow_id,
      inputs: { ...run.inputs, ...this.#system },
      created_at: toUnixSeconds(resumption ? this.#beganAt : run.created_at.getTime()),
      reason: resumption ? 'resumption' : 'initial',
    })
    try {
      const outcome = await this.#runGraph()
      return outcome.status === 'paused' ? await this.#pause(outcome) : await this.#end(outcome)
    } catch (error) {
      const refusal = toRunError(error)
      this.#context.log.error({ err: error }, 'workflow run failed')
      await this.#storeFailure(refusal.message).catch((failure: unknown) =>
        this.#context.log.error({ err: failure }, 'save workflow run failed'),
      )
      this.task.emit({ event: 'error', ...this.#envelope, workflow_run_id: run.id, ...toErrorBody(refusal) })
      throw refusal
    }
  }

  get #envelope() {
    return toMessageEnvelope(this.#input.chat?.message ?? null)
  }

  #emit(event: string, data: Record<string, unknown>): void {
    if (event === 'node_started') this.#nodeBeganAt = this.#context.clock()
    this.#record.observe(event, data)
    this.task.emit({ event, ...this.#envelope, task_id: this.task.id, workflow_run_id: this.#input.run.id, data })
  }

  #runGraph(): Promise<WorkflowRunEnd | WorkflowPause> {
    const { workflow, run, chat, resumption } = this.#input
    const graph = resumption?.state.graph
    return runWorkflow({
      workflow,
      inputs: run.inputs,
      system: this.#system,
      conversation: chat?.variables.values ?? {},
      signal: this.task.signal,
      emit: (event, data) => this.#emit(event, data),
      onText: (text, from_variable_selector) => {
        if (!chat) return this.#emit('text_chunk', { text, from_variable_selector })
        this.#answer?.draft.add(text)
        const ids = { ...this.#envelope, task_id: this.task.id, id: chat.message.id }
        this.task.emit({ event: 'message', ...ids, answer: text, from_variable_selector })
      },
      onUsage: (usage) => this.#answer?.addUsage(usage),
      onError: (error) => this.#context.log.error({ err: error }, 'workflow run failed'),
      services: this.#services(),
      resumption: graph && resumption ? { state: graph, submission: resumption.submission } : undefined,
    })
  }

  #services(): NodeServices {
    const { pace_ms, chat } = this.#input
    const context = this.#context
    return {
      clock: context.clock,
      writer: (streamed) => {
        const writer = createAnswerWriter(context.model, streamed ? pace_ms : 0)
        this.#answer?.setAuthor(writer.name)
        return writer
      },
      retrieve: async ({ query, top_k }) => {
        const { hits } = await context.retrieve({ query, retrieval_model: { top_k } })
        this.#answer?.addHits(hits)
        return hits
      },
      readText: (file) => readFileText(context, file),
      assign: async (assignment) => chat?.variables.assign(assignment),
      countTokens: context.countTokens,
    }
  }

  get #elapsed(): number {
    const seconds = (this.#context.clock() - this.#beganAt) / 1000
    return (this.#input.run.elapsed_time ?? 0) + seconds
  }

  async #pause({ form: prepared, state: graph, total_steps, total_tokens }: WorkflowPause): Promise<GraphRunResult> {
    const { database, clock } = this.#context
    const { run } = this.#input
    const elapsed_time = this.#elapsed
    this.#record.pause(graph.waiting.id, {
      elapsed_time: (clock() - this.#nodeBeganAt) / 1000,
      finished_at: toUnixSeconds(clock()),
    })
    const state: StoredRunState = {
      system: this.#system,
      graph,
      nodes: this.#record.nodes,
      chatflow: this.#answer?.progress() ?? null,
    }
    await this.#answer?.draft.settle()
    const stored = await database.transaction(async (client) => {
      const db = drizzle(client)
      const [form] = await db
        .insert(humanInputForms)
        .values(toFormValues(run, prepared, clock()))
        .returning()
      const [paused] = await db
        .update(workflowRuns)
        .set({
          status: 'paused',
          state: sanitizeInput(state) as StoredRunState,
          total_steps,
          total_tokens,
          elapsed_time,
        })
        .where(eq(workflowRuns.id, run.id))
        .returning()
      await this.#answer?.draft.pause({ status: 'paused' }, db)
      if (!form || !paused) throw new Error('the run is no longer there')
      return { form, run: paused }
    })
    this.#isPaused = true
    for (const { event, data } of toPauseEvents(stored.run, stored.form)) this.#emit(event, data)
    return { ...stored, answer: (await this.#answer?.toAnswer()) ?? null }
  }

  async #storeFailure(error: string): Promise<void> {
    const { database, clock } = this.#context
    await database.db
      .update(workflowRuns)
      .set({ status: 'failed', error, state: null, finished_at: new Date(clock()), elapsed_time: this.#elapsed })
      .where(eq(workflowRuns.id, this.#input.run.id))
    await this.#answer?.draft.finish({ status: 'error', error: `Run failed: ${error}` })
  }

  async #end(end: WorkflowRunEnd): Promise<GraphRunResult> {
    const { database, clock } = this.#context
    const { run, chat, resumption } = this.#input
    const answer = (await this.#answer?.toAnswer()) ?? null
    const outputs = chat && end.status === 'succeeded' ? { answer: answer?.text ?? '', files: [] } : end.outputs
    const finished_at = new Date(clock())
    await this.#answer?.draft.settle()
    const ended = await database.transaction(async (client) => {
      const db = drizzle(client)
      const [row] = await db
        .update(workflowRuns)
        .set({
          ...end,
          outputs: sanitizeInput(outputs) as WorkflowRunRow['outputs'],
          state: null,
          finished_at,
          elapsed_time: this.#elapsed,
        })
        .where(eq(workflowRuns.id, run.id))
        .returning()
      if (!row) throw new Error('the run is no longer there')
      const metadata = sanitizeInput(answer?.metadata) as AnswerMetadata | undefined
      const status = end.status === 'succeeded' ? 'normal' : isUserStop(this.task.signal) ? 'stopped' : 'error'
      const error = status === 'error' ? `Run failed: ${end.error}` : null
      await this.#answer?.draft.finish({ status, metadata, error }, db)
      return row
    })
    if (chat && answer && end.status === 'succeeded') {
      const ids = { ...this.#envelope, task_id: this.task.id, id: chat.message.id }
      this.task.emit({ event: 'message_end', ...ids, metadata: answer.metadata, files: [] })
    }
    const began = resumption ? { created_at: toUnixSeconds(this.#beganAt) } : {}
    this.#emit('workflow_finished', { ...toFinishedData(ended), ...began })
    return { run: ended, form: null, answer }
  }
}
