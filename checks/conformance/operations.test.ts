import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { platformEntries } from '#contract/platformEntries.ts'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'

/** Operations of the platform's current release, of which 18 are those of the interface. */
const OPERATION_COUNT = 82

/** Of the built-in platform alone. */
const OWN_OPERATIONS = ['POST /datasets/:/retrieve/dry-run', 'POST /datasets/:/documents/:/read-file']

const toOperation = (method: string, path: string) => `${method} ${path.replace(/:\w+|\{\w+\}/g, ':')}`
const contractOperations = [...platformEntries.values()]
  .map(({ method, path }) => toOperation(method, path))
  .filter((operation) => !OWN_OPERATIONS.includes(operation))
  .sort()

it('the contract has an entry for each operation', () => {
  expect(new Set(contractOperations).size).toBe(OPERATION_COUNT)
})

describeWith(requirements.sharedData('operations.md'))('the list of operations of the current release', () => {
  it('is that of the contract', () => {
    const table = readFileSync(join(SHARED_DATA, 'operations.md'), 'utf8')
    const rows = [...table.matchAll(/^\| `([^`]+)` \| ([A-Z]+) \|/gm)]
    expect(rows.map(([, path = '', method = '']) => toOperation(method, path)).sort()).toEqual(contractOperations)
  })
})
