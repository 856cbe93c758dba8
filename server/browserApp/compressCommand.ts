import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

// First: the threads that compress are created later and inherit the priority.
setPriority(constants.priority.PRIORITY_LOW)
const { compressAssets } = await import('./compressAssets.ts')
await compressAssets(join(import.meta.dirname, '../../dist'))
