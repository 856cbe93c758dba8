import { setTimeout as sleep } from 'node:timers/promises'
import { and, desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { PlatformError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { findGraphApp } from '../appCatalogue.ts'
import type { AppServices } from '../appServices.ts'
import { openEventStream, pumpFrames, type EventStream } from '../tasks/taskStream.ts'
import { humanInputForms, messages, workflowRuns } from '../schema.ts'
import type { ActiveRun, RunWatch } from './activeRuns.ts'
import {
  toFinishedData,
  toMessageEnvelope,
  toPauseEvents,
  toSnapshotEvents,
  type RunSnapshot,
  type WorkflowRunRow,
} from './runReplies.ts'

/** Milliseconds between two checks of a run that another process of the same database may execute. */
const POLL_INTERVAL_MS = 1_000

/** The further events of a run. Any number of readers get all of them. */
export function registerRunEventRoutes(app: FastifyInstance, context: PlatformContext, services: AppServices): void {
  registerPlatformEndpoint(app, optionalEndpoints.runEvents, async ({ caller, params, query, reply }) => {
    findGraphApp(caller)
    const run = await findRun(context, params.workflow_run_id)
    if (run?.app !== caller.app || run.end_user !== query.user)
      throw new PlatformError(404, 'not_found', 'Workflow run not found')
    if (isFinal(run)) {
      const stream = openEventStream(reply, { ping: false })
      sendFinished(stream, run)
      return stream.end()
    }
    const stream = openEventStream(reply, { ping: true })
    try {
      await new RunEventReader(context, services, run.id, stream, {
        wantsSnapshot: query.include_state_snapshot === 'true',
        staysOverPause: query.continue_on_pause === 'true',
      }).send()
    } finally {
      stream.end()
    }
  })
}

const isFinal = ({ status }: WorkflowRunRow): boolean => status !== 'running' && status !== 'paused'

async function findRun({ database }: PlatformContext, id: string): Promise<WorkflowRunRow | undefined> {
  const [run] = await database.db.select().from(workflowRuns).where(eq(workflowRuns.id, id))
  return run
}

const write = ({ raw }: EventStream, events: readonly object[]): void =>
  void raw.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))

/** The single event of a finished run. Its task is gone, so the run is used instead, as upstream. */
const sendFinished = (stream: EventStream, run: WorkflowRunRow): void =>
  write(stream, [{ event: 'workflow_finished', task_id: run.id, workflow_run_id: run.id, data: toFinishedData(run) }])

interface ReaderOptions {
  wantsSnapshot: boolean
  staysOverPause: boolean
}

/** One reader of a run: it follows the run from task to task, and checks its row while no task is in this process. */
class RunEventReader {
  readonly #context: PlatformContext
  readonly #services: AppServices
  readonly #id: string
  readonly #stream: EventStream
  readonly #staysOverPause: boolean
  #needsSnapshot: boolean
  /** Whether the run was seen running, so that a pause is news. */
  #sawRunning = false

  constructor(
    context: PlatformContext,
    services: AppServices,
    id: string,
    stream: EventStream,
    { wantsSnapshot, staysOverPause }: ReaderOptions,
  ) {
    this.#context = context
    this.#services = services
    this.#id = id
    this.#stream = stream
    this.#needsSnapshot = wantsSnapshot
    this.#staysOverPause = staysOverPause
  }

  /** Sends the events until the run has ended, the reader has enough, or its client has disconnected. */
  async send(): Promise<void> {
    const { activeRuns } = this.#services
    const watch = activeRuns.watch(this.#id)
    try {
      let active = activeRuns.get(this.#id)
      let from = active?.task.frames.length ?? 0
      while (!this.#stream.raw.destroyed) {
        const isOpen = active ? await this.#follow(active, from) : await this.#readRow(watch)
        if (!isOpen) return
        active = watch.started.shift() ?? (await this.#waitForStart(watch))
        from = 0
      }
    } finally {
      watch.cancel()
    }
  }

  /** Sends the frames of a task from the given one on. @returns whether further events are wanted */
  async #follow(active: ActiveRun, from: number): Promise<boolean> {
    const start = this.#needsSnapshot ? active.task.frames.length : from
    if (this.#needsSnapshot) this.#sendSnapshot(active.snapshot())
    await pumpFrames(this.#stream, active.task, start)
    this.#sawRunning = false
    return active.isPaused() && this.#staysOverPause
  }

  /** Sends the state in the row of the run. @returns whether further events are expected */
  async #readRow(watch: RunWatch): Promise<boolean> {
    const run = await findRun(this.#context, this.#id)
    if (!run) return false
    // A start in the meantime reports the same in its frames.
    if (watch.started.length > 0) return true
    if (isFinal(run)) {
      sendFinished(this.#stream, run)
      return false
    }
    if (run.status === 'running') {
      if (this.#needsSnapshot) this.#sendSnapshot(await this.#loadSnapshot(run))
      this.#sawRunning = true
      return true
    }
    if (this.#needsSnapshot) {
      this.#sendSnapshot(await this.#loadSnapshot(run))
      return this.#staysOverPause
    }
    if (!this.#sawRunning) return true
    const { message, form } = await this.#loadSnapshot(run)
    const ids = { ...toMessageEnvelope(message), task_id: run.task_id, workflow_run_id: run.id }
    if (form)
      write(
        this.#stream,
        toPauseEvents(run, form).map(({ event, data }) => ({ event, ...ids, data })),
      )
    this.#sawRunning = false
    return this.#staysOverPause
  }

  /** @returns undefined when it is time to check the row again */
  async #waitForStart(watch: RunWatch): Promise<ActiveRun | undefined> {
    const stop = new AbortController()
    // The embedded database has one process, which reports each start itself.
    const isShared = this.#context.database.kind !== 'pglite'
    const poll = sleep(POLL_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    await Promise.race([watch.whenStarted(), this.#stream.closed, ...(isShared ? [poll] : [])])
    stop.abort()
    return watch.started.shift()
  }

  #sendSnapshot(snapshot: RunSnapshot): void {
    this.#needsSnapshot = false
    write(this.#stream, toSnapshotEvents(snapshot))
  }

  async #loadSnapshot(run: WorkflowRunRow): Promise<RunSnapshot> {
    const { db } = this.#context.database
    const [message = null] = await db.select().from(messages).where(eq(messages.workflow_run_id, run.id))
    const [form = null] = await db
      .select()
      .from(humanInputForms)
      .where(and(eq(humanInputForms.workflow_run_id, run.id), eq(humanInputForms.status, 'waiting')))
      .orderBy(desc(humanInputForms.created_at))
      .limit(1)
    const { system = {}, nodes = [] } = run.state ?? {}
    return {
      run,
      message,
      text: message?.answer ?? '',
      state: { system, nodes },
      form: run.status === 'paused' ? form : null,
    }
  }
}
