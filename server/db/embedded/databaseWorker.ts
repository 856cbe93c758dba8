import './ownerOnlyChmod.ts'
import { cpSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PgliteServer } from './pgliteServer.ts'
import { openPglite } from './openPglite.ts'

/** Runs PGlite away from the event loop of the server and speaks PostgreSQL's protocol on a Unix socket. */
const { folder, socket } = workerData as { folder: string; socket: string }

const database = await openPglite(folder)
const pgliteServer = new PgliteServer(database)
await pgliteServer.listen(socket)

/** Nothing runs in the database meanwhile: the files are as after a crash, and their log repairs them. */
const copy = (to: string) => database.runExclusive(async () => cpSync(folder, to, { recursive: true }))

parentPort?.on('message', async (message: 'close' | { copy: string }) => {
  if (message !== 'close') {
    const problem = await copy(message.copy).then(
      () => null,
      (error: Error) => error.message,
    )
    parentPort?.postMessage({ copied: message.copy, problem })
    return
  }
  await pgliteServer.close()
  await database.close()
  parentPort?.postMessage('closed')
  parentPort?.close()
})
parentPort?.postMessage('ready')
