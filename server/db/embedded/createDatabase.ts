import './ownerOnlyChmod.ts'
import { openPglite } from './openPglite.ts'

const database = await openPglite(process.argv[2] ?? '')
await database.close()
