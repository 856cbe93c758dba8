import { expect, vi } from 'vitest'
import type { Experiment } from '#contract/console/suites.ts'
import type { TestConsole } from '../app.testing.ts'

/** Starts an experiment of a suite and waits for its end. */
export async function runExperiment(testConsole: TestConsole, suite: string, given: object = {}): Promise<Experiment> {
  const { id } = await testConsole.json<Experiment>('POST', `/api/suites/${suite}/experiments`, given)
  return vi.waitFor(
    async () => {
      const experiment = await testConsole.json<Experiment>('GET', `/api/experiments/${id}`)
      expect(experiment).toMatchObject({ batch: { state: 'ended', counts: { running: 0 } } })
      return experiment
    },
    { interval: 30, timeout: 20_000 },
  )
}
