import { expect, test } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { eventFolds, getEntryFold } from './eventFolds.ts'

test('each generating entry has the fold of its kind of stream', () => {
  const generating = [...platformEntries].filter(([, entry]) => entry.events)
  expect(generating.map(([name]) => name).toSorted()).toEqual([
    'adjacent.runVersion',
    'chat.send',
    'completion.send',
    'workflows.run',
  ])
  // A run of a pinned version is a run of its workflow.
  for (const [name, { events }] of generating)
    expect(getEntryFold((name === 'adjacent.runVersion' ? 'workflows.run' : name) as Run['entry'])).toBe(
      events && eventFolds[events],
    )
})
