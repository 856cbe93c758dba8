import { parentPort } from 'node:worker_threads'
import { PlatformError } from '../errors.ts'
import { makeSegments, type Stage } from './making.ts'
import { countTokens } from './tokens.ts'
import type { Order, Report } from './workshop.ts'

/** The worker's side of the workshop: one order, one report. */
let stages: Iterator<Stage> | null = null

parentPort?.on('message', (order: Order) => {
  void carryOut(order)
    .catch(reportOf)
    .then((report) => parentPort?.postMessage(report))
})

async function carryOut(order: Order): Promise<Report> {
  if (order.order === 'extract') {
    // Loaded with the first file: making segments needs no PDF reader.
    const { extract } = await import('./extract.ts')
    return { report: 'text', text: await extract(order.extraction) }
  }
  if (order.order === 'count') return { report: 'count', tokens: countTokens(order.text) }
  if (order.order === 'make') stages = makeSegments(order.making)
  const next = stages?.next()
  if (next && !next.done) return { report: 'stage', stage: next.value }
  stages = null
  return { report: 'done' }
}

function reportOf(error: unknown): Report {
  if (error instanceof PlatformError) {
    const { status, code, message } = error
    return { report: 'refused', status, code, message }
  }
  return { report: 'failed', message: error instanceof Error ? error.message : String(error) }
}
