import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { workflowEndpoints as entries } from '#contract/platform/workflows.ts'
import { sanitizeInput } from '../../sanitizeInput.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toErrorBody, toNotFoundError } from '../../platformErrors.ts'
import { createAnswerWriter } from '../../model/answerWriter.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import type { Workflow } from '../../workflow/workflowGraph.ts'
import { runWorkflow } from '../../workflow/runWorkflow.ts'
import { toRunError } from '../tasks/generateAnswer.ts'
import { findWorkflow, getInputForm } from '../appCatalogue.ts'
import { toEndUser, type EndUser } from '../chat/conversations.ts'
import type { RecordedFile } from '../files/fileRecord.ts'
import { recordFiles, type FileRule } from '../files/recordedFiles.ts'
import { toControls, FILE_TYPES, TRANSFER_METHODS } from '../inputForm.ts'
import { checkInputs, type Inputs } from '../runInputs.ts'
import { UPLOAD_LIMITS_MB } from '../appParameters.ts'
import { runWorkflowEntry as runEntry } from '../appRequests.ts'
import { workflowRuns } from '../schema.ts'
import type { AppServices } from '../appServices.ts'
import { sendStream } from '../tasks/taskStream.ts'
import type { Task } from '../tasks/tasks.ts'
import { readFileText } from '../files/fileTexts.ts'
import { toEndUserId } from '../endUserId.ts'

type WorkflowRunRow = typeof workflowRuns.$inferSelect

/** `files` next to the inputs, superseded by file variables: any value, available as `sys.files`. */
const ANY_FILE_RULE: FileRule = {
  types: FILE_TYPES,
  extensions: [],
  methods: TRANSFER_METHODS,
  maxFiles: UPLOAD_LIMITS_MB.workflow_file_upload_limit,
}

/** Operations 11 and 12. */
export function registerWorkflowRoutes(app: FastifyInstance, context: PlatformContext, services: AppServices): void {
  const { db } = context.database

  registerPlatformEndpoint(app, runEntry, async ({ caller, body, reply }) => {
    const workflow = findWorkflow(caller)
    const endUser = toEndUser(caller, body.user)
    const inputs = await checkInputs(context.database, endUser, toControls(getInputForm(workflow)), body.inputs)
    const files = await recordFiles(context.database, endUser, body.files ?? [], ANY_FILE_RULE, 'files')
    const [run] = await db
      .insert(workflowRuns)
      .values({
        id: crypto.randomUUID(),
        app: endUser.app,
        workflow_id: workflow.workflow_id,
        version: workflow.version,
        task_id: crypto.randomUUID(),
        end_user: endUser.user,
        inputs,
        status: 'running',
        created_at: new Date(context.clock()),
      })
      .returning()
    if (!run) throw new Error('the run was not written')
    const isStreaming = body.response_mode === 'streaming'
    const { task, result } = services.tasks.begin({
      id: run.task_id,
      app: endUser.app,
      user: endUser.user,
      guarded: false,
      run: (task) =>
        executeRun(context, task, {
          workflow,
          run,
          reader: endUser,
          inputs,
          files,
          pace_ms: isStreaming ? services.piece_delay_ms : 0,
        }),
    })
    if (isStreaming) return sendStream(reply, task, { ping: true })
    return { workflow_run_id: run.id, task_id: run.task_id, data: toWorkflowRun(await result) }
  })

  registerPlatformEndpoint(app, entries.readRun, async ({ caller, params }) => {
    findWorkflow(caller)
    const [run] = await db.select().from(workflowRuns).where(eq(workflowRuns.id, params.workflow_run_id))
    if (run?.app !== caller.app) throw toNotFoundError('Workflow run')
    return { ...toWorkflowRun(run), inputs: JSON.stringify(run.inputs) }
  })
}

interface WorkflowRunInput {
  workflow: Workflow
  run: WorkflowRunRow
  reader: EndUser
  inputs: Inputs
  files: RecordedFile[]
  pace_ms: number
}

/** Runs the graph and stores its final state before the final event is sent. */
async function executeRun(
  context: PlatformContext,
  task: Task,
  { workflow, run, reader, inputs, files, pace_ms }: WorkflowRunInput,
): Promise<WorkflowRunRow> {
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
    created_at: toUnixSeconds(run.created_at.getTime()),
    reason: 'initial',
  })
  try {
    const end = await runWorkflow({
      workflow,
      inputs,
      system,
      signal: task.signal,
      emit,
      onError: (error) => log.error({ err: error }, 'workflow run failed'),
      services: {
        clock,
        writer: (streamed) => createAnswerWriter(model, streamed ? pace_ms : 0),
        retrieve: ({ query, top_k }) => context.retrieve({ query, retrieval_model: { top_k } }),
        readText: (file) => readFileText(context, file),
        countTokens: context.countTokens,
      },
    })
    const finished_at = new Date(clock())
    const elapsed_time = (finished_at.getTime() - run.created_at.getTime()) / 1000
    const [ended] = await database.db
      .update(workflowRuns)
      .set({ ...end, outputs: sanitizeInput(end.outputs) as WorkflowRunRow['outputs'], finished_at, elapsed_time })
      .where(eq(workflowRuns.id, run.id))
      .returning()
    if (!ended) throw new Error('the run is no longer there')
    emit('workflow_finished', {
      ...toWorkflowRun(ended),
      created_by: { id: toEndUserId(reader), user: reader.user },
      exceptions_count: 0,
      files: [],
    })
    return ended
  } catch (error) {
    const refusal = toRunError(error)
    log.error({ err: error }, 'workflow run failed')
    task.emit({ event: 'error', workflow_run_id: run.id, ...toErrorBody(refusal) })
    throw refusal
  }
}

/** A workflow run as the interface has it, without the inputs. */
const toWorkflowRun = ({
  id,
  workflow_id,
  status,
  outputs,
  error,
  elapsed_time,
  total_tokens,
  total_steps,
  ...run
}: WorkflowRunRow) => ({
  id,
  workflow_id,
  status,
  // An object at any time, as upstream: empty before the end and after a failure.
  outputs: outputs ?? {},
  error,
  elapsed_time: elapsed_time ?? 0,
  total_tokens,
  total_steps,
  created_at: toUnixSeconds(run.created_at.getTime()),
  finished_at: run.finished_at && toUnixSeconds(run.finished_at.getTime()),
})
