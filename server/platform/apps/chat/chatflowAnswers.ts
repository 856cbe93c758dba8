import { count, eq } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import { PlatformError } from '../../platformErrors.ts'
import { createAnswerWriter } from '../../model/answerWriter.ts'
import type { Workflow } from '../../workflow/workflowGraph.ts'
import type { AppServices } from '../appServices.ts'
import { executeGraphRun, type GraphRunResult } from '../graphRuns/executeGraphRun.ts'
import { insertRun } from '../graphRuns/insertRun.ts'
import { toMessageEnvelope, toPauseDetails, toWorkflowRun } from '../graphRuns/runReplies.ts'
import { messages } from '../schema.ts'
import { generateAnswer } from '../tasks/generateAnswer.ts'
import type { RunningTask } from '../tasks/tasks.ts'
import { planAnnotation } from './chatPlan.ts'
import { loadConversationVariables } from './conversationVariables.ts'
import type { Message } from './conversations.ts'

export interface ChatflowQuestion {
  workflow: Workflow
  message: Message
  isStreaming: boolean
}

/**
 * Starts the answer of a chatflow: a run of its graph, or an annotation that is similar enough. The result is the
 * blocking reply.
 */
export async function startChatflowAnswer(
  context: PlatformContext,
  services: AppServices,
  question: ChatflowQuestion,
): Promise<RunningTask<object>> {
  const { message } = question
  const annotation = await planAnnotation(services.matcher, message, AbortSignal.timeout(ANNOTATION_TIMEOUT_MS)).catch(
    (error: unknown) => {
      // Annotations that cannot be compared must not prevent an answer.
      context.log.warn({ err: error }, 'annotation reply failed')
      return null
    },
  )
  if (!annotation) return startRun(context, services, question)
  const { task, result } = services.tasks.begin({
    ...toTaskOwner(message),
    run: (task) =>
      generateAnswer({
        context,
        task,
        message,
        writer: createAnswerWriter(context.model, 0),
        plan: async () => annotation,
      }),
  })
  return { task, result: result.then((answer) => ({ ...answer, mode: 'advanced-chat' })) }
}

/** Time to compare a question with the annotations. */
const ANNOTATION_TIMEOUT_MS = 60_000

/** Upstream lets every user stop a chatflow. */
const toTaskOwner = ({ task_id, app, end_user }: Message) => ({ id: task_id, app, user: end_user, guarded: false })

async function startRun(
  context: PlatformContext,
  { tasks, activeRuns, piece_delay_ms }: AppServices,
  { workflow, message, isStreaming }: ChatflowQuestion,
): Promise<RunningTask<object>> {
  const conversation_id = message.conversation_id ?? ''
  const variables = await loadConversationVariables(context, workflow, conversation_id)
  const [turns] = await context.database.db
    .select({ total: count() })
    .from(messages)
    .where(eq(messages.conversation_id, conversation_id))
  const run = await insertRun(context, {
    workflow,
    endUser: { app: message.app, user: message.end_user },
    inputs: message.inputs as NonNullable<Parameters<typeof insertRun>[1]['inputs']>,
    system: {
      'sys.query': message.query,
      'sys.files': message.files,
      'sys.conversation_id': conversation_id,
      'sys.dialogue_count': turns?.total ?? 1,
    },
    message,
  })
  const { task, result } = tasks.begin({
    ...toTaskOwner(message),
    run: (task) =>
      executeGraphRun(context, activeRuns, task, {
        workflow,
        run,
        pace_ms: isStreaming ? piece_delay_ms : 0,
        chat: { message, variables },
        resumption: null,
      }),
  })
  const reply = result.then((end) => toBlockingReply(message, end))
  // A stream reads the frames and not the reply.
  reply.catch(() => undefined)
  return { task, result: reply }
}

/** @throws PlatformError 400 if the run failed, as upstream */
function toBlockingReply(message: Message, { run, form, answer }: GraphRunResult): object {
  if (run.status !== 'succeeded' && run.status !== 'paused')
    throw new PlatformError(400, 'invalid_param', `Run failed: ${run.error}`)
  const { created_at, ...ids } = toMessageEnvelope(message)
  const reply = {
    event: form ? 'workflow_paused' : 'message',
    task_id: run.task_id,
    ...ids,
    id: message.id,
    mode: 'advanced-chat',
    answer: answer?.text ?? '',
    metadata: { annotation_reply: null, ...answer?.metadata, ...(form ? { usage: null } : {}) },
    created_at,
  }
  if (!form) return reply
  return { ...reply, workflow_run_id: run.id, data: { ...toWorkflowRun(run), ...toPauseDetails(form) } }
}
