import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../platformContext.ts'
import { PIECE_DELAY_MS } from '../model/answerWriter.ts'
import { registerAppInfoRoutes } from './appInfoRoutes.ts'
import { createFormExpiryJob, registerHumanInputRoutes } from './graphRuns/humanInputRoutes.ts'
import { createActiveRuns } from './graphRuns/activeRuns.ts'
import { registerRunEventRoutes } from './graphRuns/runEventRoutes.ts'
import { createAnnotationJobs } from './annotations/annotationJobs.ts'
import { registerPlatformAnnotationRoutes } from './annotations/annotationRoutes.ts'
import { registerChatRoutes } from './chat/chatRoutes.ts'
import { registerCompletionRoutes } from './completion/completionRoutes.ts'
import { registerConversationVariableRoutes } from './chat/conversationVariableRoutes.ts'
import { registerHistoryRoutes } from './chat/historyRoutes.ts'
import { registerWorkflowLogRoutes } from './workflows/workflowLogRoutes.ts'
import { createAnnotationMatcher } from './annotations/annotationMatcher.ts'
import type { AppServices } from './appServices.ts'
import { failInterruptedTasks } from './tasks/interruptedTasks.ts'
import { createTasks } from './tasks/tasks.ts'
import { registerFileContentRoute } from './files/fileContentRoutes.ts'
import { registerUploadRoutes } from './files/uploadRoutes.ts'
import { registerWorkflowRoutes } from './workflows/workflowRoutes.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'

export function registerAppRoutes(
  app: FastifyInstance,
  context: PlatformContext,
  { pace_ms: piece_delay_ms = PIECE_DELAY_MS } = {},
): void {
  const tasks = createTasks()
  const matcher = createAnnotationMatcher(context)
  const services: AppServices = { tasks, activeRuns: createActiveRuns(), matcher, piece_delay_ms }
  const formExpiryJob = createFormExpiryJob(context, services)
  const annotationJobs = createAnnotationJobs(context, tasks)
  registerAppInfoRoutes(app, context)
  registerChatRoutes(app, context, services)
  registerCompletionRoutes(app, context, services)
  registerHistoryRoutes(app, context)
  registerConversationVariableRoutes(app, context)
  registerWorkflowRoutes(app, context, services)
  registerRunEventRoutes(app, context, services)
  registerHumanInputRoutes(app, context, services)
  registerWorkflowLogRoutes(app, context)
  registerUploadRoutes(app, context)
  registerFileContentRoute(app, context)
  registerPlatformAnnotationRoutes(app, context, annotationJobs)
  registerStopRoutes(app, context, services)
  let releaseLock = () => undefined as void
  app.addHook('onReady', async () => {
    releaseLock = await failInterruptedTasks(context)
    await annotationJobs.resume()
    formExpiryJob.start()
    // Forms may have expired while no platform was running.
    formExpiryJob.runSoon()
  })
  app.addHook('preClose', async () => {
    formExpiryJob.stop()
    await formExpiryJob.whenIdle()
    await tasks.close()
  })
  app.addHook('onClose', async () => releaseLock())
}

/**
 * The three ways to stop a run. All report success, even if there is nothing to stop, as upstream does. A run that is
 * not active here may be active on another server with the same database.
 */
function registerStopRoutes(
  app: FastifyInstance,
  { database: { messageBus } }: PlatformContext,
  { tasks }: AppServices,
): void {
  for (const entry of [optionalEndpoints.stopChat, optionalEndpoints.stopCompletion, optionalEndpoints.stopWorkflow])
    registerPlatformEndpoint(app, entry, ({ caller, params, body }) => {
      const task = [caller.app ?? '', params.task_id, body.user] as const
      if (!tasks.stop(...task)) messageBus.publish('stop', [encodeURIComponent(JSON.stringify(task))])
      return { result: 'success' }
    })
  const unsubscribe = messageBus.subscribe('stop', (payloads) => {
    for (const payload of payloads) tasks.stop(...(JSON.parse(decodeURIComponent(payload)) as [string, string, string]))
  })
  app.addHook('onClose', async () => unsubscribe())
}
