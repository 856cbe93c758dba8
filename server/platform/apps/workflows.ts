import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { workflows as entries } from '#contract/workflows.ts'
import { clean } from '../clean.ts'
import { seconds, type PlatformContext } from '../context.ts'
import { errorBody, notFound } from '../errors.ts'
import { openWriter } from '../model/writer.ts'
import { route } from '../route.ts'
import type { Workflow } from '../workflow/graph.ts'
import { runWorkflow } from '../workflow/run.ts'
import { refusalOfRun } from './answer.ts'
import { findWorkflow, formOf } from './catalogue.ts'
import { readerOf, type Reader } from './conversations.ts'
import { recordFiles, type FileRule, type RecordedFile } from './files.ts'
import { controlsOf, FILE_TYPES, TRANSFER_METHODS } from './form.ts'
import { checkInputs, type Inputs } from './inputs.ts'
import { LIMITS } from './parameters.ts'
import { runWorkflow as runEntry } from './requests.ts'
import { workflowRuns } from './schema.ts'
import type { Services } from './services.ts'
import { sendStream } from './stream.ts'
import type { Task } from './tasks.ts'
import { readText } from './texts.ts'
import { userIdOf } from './users.ts'

type Run = typeof workflowRuns.$inferSelect

/** `files` beside the inputs, which file variables have superseded: anything, as `sys.files`. */
const ANY_FILE: FileRule = {
  types: FILE_TYPES,
  extensions: [],
  methods: TRANSFER_METHODS,
  most: LIMITS.workflow_file_upload_limit,
}

/** Operations 11 and 12. */
export function workflows(app: FastifyInstance, context: PlatformContext, services: Services): void {
  const { db } = context.database

  route(app, runEntry, async ({ caller, body, reply }) => {
    const workflow = findWorkflow(caller)
    const reader = readerOf(caller, body.user)
    const inputs = await checkInputs(context.database, reader, controlsOf(formOf(workflow)), body.inputs)
    const files = await recordFiles(context.database, reader, body.files ?? [], ANY_FILE, 'files')
    const [run] = await db
      .insert(workflowRuns)
      .values({
        id: crypto.randomUUID(),
        app: reader.app,
        workflow_id: workflow.workflow_id,
        version: workflow.version,
        task_id: crypto.randomUUID(),
        end_user: reader.user,
        inputs,
        status: 'running',
        created_at: new Date(context.clock()),
      })
      .returning()
    if (!run) throw new Error('the run was not written')
    const streams = body.response_mode === 'streaming'
    const { task, result } = services.tasks.begin({
      id: run.task_id,
      app: reader.app,
      user: reader.user,
      guarded: false,
      run: (task) =>
        carryOut(context, task, { workflow, run, reader, inputs, files, pace_ms: streams ? services.pace_ms : 0 }),
    })
    if (streams) return sendStream(reply, task, { ping: true })
    return { workflow_run_id: run.id, task_id: run.task_id, data: runItem(await result) }
  })

  route(app, entries.readRun, async ({ caller, params }) => {
    findWorkflow(caller)
    const [run] = await db.select().from(workflowRuns).where(eq(workflowRuns.id, params.workflow_run_id))
    if (run?.app !== caller.app) throw notFound('Workflow run')
    return { ...runItem(run), inputs: JSON.stringify(run.inputs) }
  })
}

interface Order {
  workflow: Workflow
  run: Run
  reader: Reader
  inputs: Inputs
  files: RecordedFile[]
  pace_ms: number
}

/** Runs the graph to its end and writes down how it ended, before the event that says so. */
async function carryOut(
  context: PlatformContext,
  task: Task,
  { workflow, run, reader, inputs, files, pace_ms }: Order,
): Promise<Run> {
  const { database, clock, log, model } = context
  const emit = (event: string, data: object) => task.emit({ event, task_id: task.id, workflow_run_id: run.id, data })
  const system = {
    'sys.user_id': reader.user,
    'sys.app_id': reader.app,
    'sys.workflow_id': workflow.workflow_id,
    'sys.workflow_run_id': run.id,
    'sys.files': files,
  }
  emit('workflow_started', {
    id: run.id,
    workflow_id: run.workflow_id,
    inputs: { ...inputs, ...system },
    created_at: seconds(run.created_at.getTime()),
    reason: 'initial',
  })
  try {
    const end = await runWorkflow({
      workflow,
      inputs,
      system,
      signal: task.signal,
      emit,
      onFault: (error) => log.error({ err: error }, 'workflow'),
      services: {
        clock,
        writer: (streamed) => openWriter(model, streamed ? pace_ms : 0),
        retrieve: ({ query, top_k }) => context.retrieve({ query, retrieval_model: { top_k } }),
        readText: (file) => readText(context, file),
        countTokens: context.countTokens,
      },
    })
    const finished_at = new Date(clock())
    const elapsed_time = (finished_at.getTime() - run.created_at.getTime()) / 1000
    const [ended] = await database.db
      .update(workflowRuns)
      .set({ ...end, outputs: clean(end.outputs) as Run['outputs'], finished_at, elapsed_time })
      .where(eq(workflowRuns.id, run.id))
      .returning()
    if (!ended) throw new Error('the run is no longer there')
    emit('workflow_finished', {
      ...runItem(ended),
      created_by: { id: userIdOf(reader), user: reader.user },
      exceptions_count: 0,
      files: [],
    })
    return ended
  } catch (error) {
    const refusal = refusalOfRun(error)
    log.error({ err: error }, 'workflow')
    task.emit({ event: 'error', workflow_run_id: run.id, ...errorBody(refusal) })
    throw refusal
  }
}

/** A workflow run as the interface has it, without the inputs. */
const runItem = ({
  id,
  workflow_id,
  status,
  outputs,
  error,
  elapsed_time,
  total_tokens,
  total_steps,
  ...run
}: Run) => ({
  id,
  workflow_id,
  status,
  outputs,
  error,
  elapsed_time,
  total_tokens,
  total_steps,
  created_at: seconds(run.created_at.getTime()),
  finished_at: run.finished_at && seconds(run.finished_at.getTime()),
})
