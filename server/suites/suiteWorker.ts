import { parentPort } from 'node:worker_threads'
import type { Check } from '#contract/console/checks.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import { evaluateCheck } from '#domain/checks/evaluateCheck.ts'
import { findUnreadableParameter } from '#domain/checks/jsonChecks.ts'
import { rankCauses } from '#domain/experiments/rankCauses.ts'
import type { SuiteJob } from './suiteThread.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** Answers each check separately, so that results before a slow one are known. */
parentPort?.on('message', (job: SuiteJob) => {
  if ('cases' in job) return parentPort?.postMessage(rankCauses(job.cases, job.sources))
  const { checks, result } = parseLosslessJson(job.json) as { checks: Check[]; result?: CheckedResult }
  const judgements = new Map(checks.flatMap((check, index) => toEntries(check, job.judgements?.[index])))
  for (const check of checks)
    parentPort?.postMessage(result ? evaluateCheck(check, { ...result, judgements }) : findUnreadableParameter(check))
})
const toEntries = <Value>(check: Check, value: Value | undefined): [Check, Value][] =>
  value === undefined ? [] : [[check, value]]

parentPort?.postMessage('ready')
