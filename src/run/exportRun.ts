import { contract } from '#contract/index.ts'
import type { RunState } from '#contract/run.ts'
import { type RunFile, runFileOf } from '#contract/run-file.ts'
import type { Frame } from '#contract/runs.ts'
import { call } from '../wire/call.ts'
import { pathOf } from './entries.ts'

const PAGE = 2_000

/** All of a run that the server has, as one file. @throws ProblemError */
export async function collectRunFile(run_id: string, platform: RunFile['platform']): Promise<RunFile> {
  const [run, session] = await Promise.all([
    call(contract.console.readRun, { params: { run_id } }),
    call(contract.console.session, {}),
  ])
  const frames: Frame[] = []
  for (let page: Frame[] = []; frames.length < run.frames; frames.push(...page)) {
    const query = { after: frames.length, limit: PAGE }
    page = (await call(contract.console.listFrames, { params: { run_id }, query })).data
    if (page.length === 0) break
  }
  const { told } = (run.answer ?? {}) as Partial<RunState>
  const whole = run.frames === 0 || told ? await call(contract.console.readCall, { params: { call_id: run_id } }) : null
  return runFileOf({
    run,
    path: pathOf(run.entry),
    frames,
    reply: whole?.reply ?? null,
    platform,
    loupe: session.version,
    exported_at: new Date().toISOString(),
  })
}

/** Hands the file to the browser, which asks where to put it. */
export function saveRunFile(file: RunFile): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `run-${file.run.id.slice(0, 8)}.json`
  link.click()
  URL.revokeObjectURL(url)
}
