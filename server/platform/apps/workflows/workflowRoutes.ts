import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { workflowEndpoints as entries } from '#contract/platform/workflows.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { toNotFoundError } from '../../platformErrors.ts'
import { registerPlatformEndpoint, type PlatformCall } from '../../platformRoute.ts'
import type { Workflow } from '../../workflow/workflowGraph.ts'
import { findGraphApp, findWorkflow, getInputForm, requireVersion } from '../appCatalogue.ts'
import { toEndUser } from '../chat/conversations.ts'
import { recordFiles, type FileRule } from '../files/recordedFiles.ts'
import { executeGraphRun } from '../graphRuns/executeGraphRun.ts'
import { insertRun } from '../graphRuns/insertRun.ts'
import { toPauseDetails, toWorkflowRun } from '../graphRuns/runReplies.ts'
import { toControls, FILE_TYPES, TRANSFER_METHODS } from '../inputForm.ts'
import { checkInputs } from '../runInputs.ts'
import { UPLOAD_LIMITS_MB } from '../appParameters.ts'
import { runVersionEntry, runWorkflowEntry as runEntry } from '../appRequests.ts'
import { workflowRuns } from '../schema.ts'
import type { AppServices } from '../appServices.ts'
import { sendStream } from '../tasks/taskStream.ts'

/** `files` next to the inputs, superseded by file variables: any value, available as `sys.files`. */
const ANY_FILE_RULE: FileRule = {
  types: FILE_TYPES,
  extensions: [],
  methods: TRANSFER_METHODS,
  maxFiles: UPLOAD_LIMITS_MB.workflow_file_upload_limit,
}

export function registerWorkflowRoutes(app: FastifyInstance, context: PlatformContext, services: AppServices): void {
  const { db } = context.database

  registerPlatformEndpoint(app, runEntry, (call) => startRun(call, findWorkflow(call.caller)))
  registerPlatformEndpoint(app, runVersionEntry, (call) =>
    startRun(call, requireVersion(findWorkflow(call.caller), call.params.workflow_id)),
  )

  async function startRun(
    { caller, body, reply }: Pick<PlatformCall<typeof runEntry>, 'caller' | 'body' | 'reply'>,
    workflow: Workflow,
  ) {
    const endUser = toEndUser(caller, body.user)
    const inputs = await checkInputs(context.database, endUser, toControls(getInputForm(workflow)), body.inputs)
    const files = await recordFiles(context.database, endUser, body.files ?? [], ANY_FILE_RULE, 'files')
    const run = await insertRun(context, { workflow, endUser, inputs, system: { 'sys.files': files } })
    const isStreaming = body.response_mode === 'streaming'
    const { task, result } = services.tasks.begin({
      id: run.task_id,
      app: endUser.app,
      user: endUser.user,
      guarded: false,
      run: (task) =>
        executeGraphRun(context, services.activeRuns, task, {
          workflow,
          run,
          pace_ms: isStreaming ? services.piece_delay_ms : 0,
          chat: null,
          resumption: null,
        }),
    })
    if (isStreaming) return sendStream(reply, task, { ping: true })
    const { run: outcome, form } = await result
    const data = { ...toWorkflowRun(outcome), ...(form ? toPauseDetails(form) : {}) }
    return { workflow_run_id: run.id, task_id: run.task_id, data }
  }

  registerPlatformEndpoint(app, entries.readRun, async ({ caller, params }) => {
    findGraphApp(caller)
    const [run] = await db.select().from(workflowRuns).where(eq(workflowRuns.id, params.workflow_run_id))
    if (run?.app !== caller.app) throw toNotFoundError('Workflow run')
    return { ...toWorkflowRun(run), inputs: JSON.stringify(run.inputs) }
  })
}
