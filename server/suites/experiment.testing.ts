import { expect, vi } from 'vitest'
import type { Experiment, ExperimentResult } from '#contract/console/suites.ts'
import type { TestConsole } from '../app.testing.ts'

/** Starts an experiment of a suite and waits for its end. */
export async function runExperiment(testConsole: TestConsole, suite: string, given: object = {}): Promise<Experiment> {
  const { id } = await testConsole.json<Experiment>('POST', `/api/suites/${suite}/experiments`, given)
  return waitForExperiment(testConsole, id)
}

export const waitForExperiment = (
  testConsole: TestConsole,
  id: string,
  state: Experiment['batch']['state'] = 'ended',
): Promise<Experiment> =>
  vi.waitFor(
    async () => {
      const experiment = await testConsole.json<Experiment>('GET', `/api/experiments/${id}`)
      expect(experiment).toMatchObject({ batch: { state, counts: { running: 0 } } })
      return experiment
    },
    { interval: 30 },
  )

export const listResults = async (testConsole: TestConsole, id: string, query = ''): Promise<ExperimentResult[]> =>
  (await testConsole.json<{ data: ExperimentResult[] }>('GET', `/api/experiments/${id}/results${query}`)).data
