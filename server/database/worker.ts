import { cpSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { openCluster } from './cluster.ts'

/**
 * Runs PGlite away from the event loop of the server and speaks PostgreSQL's protocol on a Unix socket. The pool uses one
 * connection at a time: the socket server queues message by message, so two clients' unnamed statements would overwrite
 * each other. It still must take more: after a failed query pg's pool drops its connection and opens the next one before
 * the server has seen the first one go, and a server that takes one only would reset it.
 */
const { folder, socket } = workerData as { folder: string; socket: string }

const database = await openCluster(folder)
const server = new PGLiteSocketServer({ db: database, path: socket, maxConnections: 8 })
await server.start()

/** Nothing runs in the database meanwhile, so the files stand as a crash would leave them; their log makes them whole. */
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
  await server.stop()
  await database.close()
  parentPort?.postMessage('closed')
  parentPort?.close()
})
parentPort?.postMessage('ready')
