import './owner-only.ts'
import { openCluster } from './cluster.ts'

/** Makes a new database in the folder that the command names, and ends. */
const database = await openCluster(process.argv[2] ?? '')
await database.close()
