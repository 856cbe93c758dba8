import { expect, test } from 'vitest'
import { BackgroundJob } from './backgroundJob.ts'

/** A job whose passes end when the test says so. */
function createManualJob() {
  const passes: AbortSignal[] = []
  const ends: ((error?: Error) => void)[] = []
  const errors: unknown[] = []
  const job = new BackgroundJob({
    run: (stopSignal) => {
      passes.push(stopSignal)
      return new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())))
    },
    onError: (error) => errors.push(error),
  })
  return { job, passes, errors, endPass: (error?: Error) => ends.shift()?.(error) }
}

test('requests during a pass lead to one more pass', async () => {
  const { job, passes, endPass } = createManualJob()
  job.runSoon()
  job.runSoon()
  job.runSoon()
  expect(passes).toHaveLength(1)
  endPass()
  await expect.poll(() => passes).toHaveLength(2)
  endPass()
  await job.whenIdle()
  expect(passes).toHaveLength(2)
})

test('a failed pass is reported, and the next one runs', async () => {
  const { job, passes, errors, endPass } = createManualJob()
  job.runSoon()
  endPass(new Error('no connection'))
  await job.whenIdle()
  expect(errors).toEqual([new Error('no connection')])
  job.runSoon()
  expect(passes).toHaveLength(2)
  endPass()
  await job.whenIdle()
})

test('a stopped job aborts the signal of its pass and starts no other', async () => {
  const { job, passes, endPass } = createManualJob()
  job.runSoon()
  job.runSoon()
  job.stop()
  expect(passes[0]?.aborted).toBe(true)
  endPass()
  await job.whenIdle()
  job.start()
  job.runSoon()
  expect(passes).toHaveLength(1)
})

test('an interval runs passes until it is paused, and again after the next start', async () => {
  let passes = 0
  const job = new BackgroundJob({ run: () => Promise.resolve(passes++), onError: () => undefined, intervalMs: 1 })
  expect(passes).toBe(0)
  job.start()
  await expect.poll(() => passes).toBeGreaterThan(1)
  job.pause()
  await job.whenIdle()
  const paused = passes
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(passes).toBe(paused)
  job.start()
  await expect.poll(() => passes).toBeGreaterThan(paused)
  job.stop()
})
