import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

// First of all: the threads that compress are made later and take it over.
setPriority(constants.priority.PRIORITY_LOW)
const { compressAssets } = await import('./compressAssets.ts')
await compressAssets(join(import.meta.dirname, '../../dist'))
