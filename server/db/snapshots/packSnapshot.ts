import { renameSync } from 'node:fs'
import { setPriority } from 'node:os'
import { create } from 'tar'

/** Packs the folder `database` of the first argument into the file that the second names, atomically. */
const [from = '', to = ''] = process.argv.slice(2)
setPriority(10)
await create({ cwd: from, file: `${to}.part`, gzip: { level: 1 }, portable: true, mode: 0o600 }, ['database'])
renameSync(`${to}.part`, to)
