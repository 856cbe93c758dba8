import { parentPort } from 'node:worker_threads'
import { evaluateCheck } from '#domain/checks/evaluateCheck.ts'
import { findUnreadableParameter } from '#domain/checks/jsonChecks.ts'
import { rankCauses } from '#domain/experiments/rankCauses.ts'
import type { SuiteJob } from './suiteThread.ts'

/** Answers each check of a job by itself, so that those before a slow one are known. */
parentPort?.on('message', (job: SuiteJob) => {
  if ('cases' in job) return parentPort?.postMessage(rankCauses(job.cases, job.sources))
  for (const check of job.checks)
    parentPort?.postMessage(job.result ? evaluateCheck(check, job.result) : findUnreadableParameter(check))
})
parentPort?.postMessage('ready')
