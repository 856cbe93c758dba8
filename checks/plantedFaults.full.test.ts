import { expect, test } from 'vitest'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { plantFaults } from './plantedFaults.ts'

test('a chunk edit, a setting and a version of the app are each named first, and nothing is named without a change', async () => {
  const loupe = await new LoupeProcess().start()
  try {
    const { results, falseAlarms, comparisons } = await plantFaults(loupe, {
      cases: 30,
      versionCases: 3,
    })
    expect(results).toEqual(
      ['segment edited, 0 % of its words kept', 'settings {"top_k":1}', 'an earlier version of the workflow'].map(
        (name) => ({
          name,
          regressed: expect.any(Number) as number,
          isNamed: true,
          isFirst: true,
        }),
      ),
    )
    expect(results.every(({ regressed }) => regressed > 0)).toBe(true)
    expect([falseAlarms, comparisons]).toEqual([0, 6])
  } finally {
    await loupe.remove()
  }
})
