import type { CDPSession, Page } from '@playwright/test'

/** What a page's main thread did: milliseconds, and the heap after a collection in MiB. */
export interface TraceResult<Value> {
  value: Value
  busy: number
  longestTaskMs: number
  /** Of the longest task, what it computed itself: on a machine that is shared a task also waits for its turn. */
  longestTaskCpuMs: number
  over50: number
  heap: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args: { name?: string }
}

/** Runs an action in a page and measures its main thread, from a trace of the renderer's tasks. */
export async function tracePage<Value>(
  page: Page,
  action: () => Promise<Value>,
  throttle = 1,
): Promise<TraceResult<Value>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  if (throttle > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[])
      if (event.name === 'ThreadControllerImpl::RunTask' || event.name === 'thread_name') events.push(event)
  })
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['toplevel', '__metadata'],
      recordMode: 'recordUntilFull',
      traceBufferSizeInKb: 600_000,
    },
  })
  const value = await action()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  if (throttle > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const heap = await getHeapMib(session)
  await session.detach()
  return { value, heap, ...summarizeTasks(events) }
}

/** The tasks of the busiest renderer's main thread: idle pages have renderers too. */
function summarizeTasks(events: readonly TraceEvent[]): Omit<TraceResult<never>, 'value' | 'heap'> {
  const mains = new Set(
    events.filter(({ args }) => args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = new Map<string, { took: number; work: number }[]>()
  for (const { name, pid, tid, dur = 0, tdur = dur } of events) {
    const thread = `${pid} ${tid}`
    if (name !== 'ThreadControllerImpl::RunTask' || !mains.has(thread)) continue
    const own = tasks.get(thread) ?? []
    own.push({ took: dur / 1000, work: tdur / 1000 })
    tasks.set(thread, own)
  }
  const all = [...tasks.values()].map((own) => ({
    busy: own.reduce((sum, { took }) => sum + took, 0),
    longestTaskMs: own.reduce((longest, { took }) => Math.max(longest, took), 0),
    longestTaskCpuMs: own.reduce((longest, { work }) => Math.max(longest, work), 0),
    over50: own.filter(({ took }) => took > 50).length,
  }))
  return (
    all.sort((one, other) => other.busy - one.busy)[0] ?? { busy: 0, longestTaskMs: 0, longestTaskCpuMs: 0, over50: 0 }
  )
}

async function getHeapMib(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 / 1024
}
