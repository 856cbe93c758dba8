import { drizzle } from 'drizzle-orm/node-postgres'
import { eq } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import type { Workflow } from '../../workflow/workflowGraph.ts'
import type { EndUser, Message } from '../chat/conversations.ts'
import type { Inputs } from '../runInputs.ts'
import { messages, workflowRuns } from '../schema.ts'
import type { WorkflowRunRow } from './runReplies.ts'

export interface NewGraphRun {
  workflow: Workflow
  endUser: EndUser
  inputs: Inputs
  /** Values of the platform in addition to those of every run. */
  system: Record<string, unknown>
  /** The message that a chatflow answers: it gets the id of the run. */
  message?: Message
}

export async function insertRun(
  { database, clock }: PlatformContext,
  { workflow, endUser, inputs, system, message }: NewGraphRun,
): Promise<WorkflowRunRow> {
  const id = crypto.randomUUID()
  const allSystem = {
    ...system,
    'sys.user_id': endUser.user,
    'sys.app_id': endUser.app,
    'sys.workflow_id': workflow.workflow_id,
    'sys.workflow_run_id': id,
  }
  return database.transaction(async (client) => {
    const db = drizzle(client)
    const [run] = await db
      .insert(workflowRuns)
      .values({
        id,
        app: endUser.app,
        workflow_id: workflow.workflow_id,
        version: workflow.version,
        task_id: message?.task_id ?? crypto.randomUUID(),
        end_user: endUser.user,
        inputs,
        status: 'running',
        state: { system: allSystem, graph: null, nodes: [], chatflow: null },
        created_at: new Date(clock()),
      })
      .returning()
    if (message) await db.update(messages).set({ workflow_run_id: id }).where(eq(messages.id, message.id))
    if (!run) throw new Error('the run was not written')
    return run
  })
}
