import { eq } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import { findVersion } from '../appCatalogue.ts'
import type { AppServices } from '../appServices.ts'
import { loadConversationVariables } from '../chat/conversationVariables.ts'
import { messages, workflowRuns } from '../schema.ts'
import { executeGraphRun } from './executeGraphRun.ts'
import { claimForm, releaseForm, type ClaimedForm, type FormClosure } from './forms.ts'

/**
 * Closes a form and continues its run in this process, after returning.
 * @returns false if the form was closed before
 */
export async function resumeRun(
  context: PlatformContext,
  services: AppServices,
  form_id: string,
  closure: FormClosure,
): Promise<boolean> {
  const claimed = await claimForm(context, form_id, closure)
  if (!claimed) return false
  try {
    await beginResumption(context, services, claimed)
  } catch (error) {
    await releaseForm(context, claimed)
    throw error
  }
  return true
}

async function beginResumption(
  context: PlatformContext,
  { tasks, activeRuns, piece_delay_ms }: AppServices,
  { form, run, message }: ClaimedForm,
): Promise<void> {
  const workflow = findVersion(run.app, run.workflow_id)
  const { state } = run
  if (!workflow || !state?.graph) return failRun(context, run.id, 'This version of the application no longer exists.')
  if (workflow.mode === 'advanced-chat' && !message)
    return failRun(context, run.id, 'The conversation of the run was deleted.')
  const variables = message && (await loadConversationVariables(context, workflow, message.conversation_id ?? ''))
  const { node_id, form_content, inputs } = form
  const action = form.actions.find(({ id }) => id === form.action) ?? null
  tasks.begin({
    id: run.task_id,
    app: run.app,
    user: run.end_user,
    guarded: false,
    run: (task) =>
      executeGraphRun(context, activeRuns, task, {
        workflow,
        run,
        pace_ms: piece_delay_ms,
        chat: message && variables && { message, variables },
        resumption: { state, submission: { node_id, form_content, inputs, action, values: form.values ?? {} } },
      }),
  })
}

/** Ends a run that cannot be continued. */
async function failRun({ database, clock }: PlatformContext, id: string, error: string): Promise<void> {
  const finished_at = new Date(clock())
  await database.db
    .update(workflowRuns)
    .set({ status: 'failed', error, state: null, finished_at })
    .where(eq(workflowRuns.id, id))
  await database.db
    .update(messages)
    .set({ status: 'error', error: `Run failed: ${error}`, finished_at })
    .where(eq(messages.workflow_run_id, id))
}
