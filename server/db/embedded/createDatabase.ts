import './ownerOnlyChmod.ts'
import { openPglite } from './openPglite.ts'

/** Makes a new database in the folder that the command names, and ends. */
const database = await openPglite(process.argv[2] ?? '')
await database.close()
