import { parentPort } from 'node:worker_threads'
import { evaluateCheck } from '#domain/checks/evaluateCheck.ts'
import { findUnreadableParameter } from '#domain/checks/jsonChecks.ts'
import type { CheckJob } from './checkEvaluation.ts'

/** Answers each check of a job by itself, so that those before a slow one are known. */
parentPort?.on('message', ({ checks, result }: CheckJob) => {
  for (const check of checks)
    parentPort?.postMessage(result ? evaluateCheck(check, result) : findUnreadableParameter(check))
})
parentPort?.postMessage('ready')
