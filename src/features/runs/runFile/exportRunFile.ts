import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { type RunFile, toRunFile } from '#domain/runFile/runFile.ts'
import type { Frame } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { call } from '../../../client/http.ts'
import { getRunPath } from '../runEntries.ts'

const EXPORT_PAGE_SIZE = 2_000

/** Collects all stored data of a run in one file. @throws ProblemError */
export async function collectRunFile(run_id: string, platform: RunFile['platform']): Promise<RunFile> {
  const [run, session] = await Promise.all([
    call(runEndpoints.readRun, { params: { run_id } }),
    call(accessEndpoints.session, {}),
  ])
  const frames: Frame[] = []
  for (let page: Frame[] = []; frames.length < run.frames; frames.push(...page)) {
    const query = { after: frames.length, limit: EXPORT_PAGE_SIZE }
    page = (await call(runEndpoints.listFrames, { params: { run_id }, query })).data
    if (page.length === 0) break
  }
  const { told: ownSource, run: flow } = (run.answer ?? {}) as Partial<RunState & AnswerState>
  const detailSource = ownSource ?? flow?.told
  const callRecord =
    run.frames === 0 || detailSource ? await call(callEndpoints.readCall, { params: { call_id: run_id } }) : null
  return toRunFile({
    run,
    path: getRunPath(run.entry, run.pinned_workflow_id),
    frames,
    reply: callRecord?.reply ?? null,
    platform,
    loupe: session.version,
    exported_at: new Date().toISOString(),
  })
}

/** Downloads the file. */
export function saveRunFile(file: RunFile): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `run-${file.run.id.slice(0, 8)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
