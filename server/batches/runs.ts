import type { RowInput } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { invalid, type Problem, ProblemError } from '#contract/problem.ts'
import { isLive, type Run } from '#contract/runs.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { wordsOf } from '../ledger/words.ts'
import type { LiveRun } from '../runs/live.ts'
import { type FoldState, isAnswer } from '../runs/outcome.ts'
import { runOf } from '../runs/row.ts'
import type { Runner } from '../runs/runner.ts'
import type { Vault } from '../vault/vault.ts'
import { againOrRefused } from './again.ts'
import type { Kind, Outcome } from './kind.ts'
import type { BatchRecord } from './record.ts'

/** Characters of what came that stand with the row; all of it is in the run. */
const EXCERPT = 300

/** Rows that are runs of a completion or a workflow. */
export function runsKind({ vault, runner, ledger }: { vault: Vault; runner: Runner; ledger: Ledger }): Kind {
  return {
    check(batch, input) {
      const result = entryOf(batch).body.safeParse(bodyOf(batch, input))
      return result.success ? null : invalid('body', result.error)
    },

    async carry({ batch, number, input, run_id, parent_id }) {
      const entry = entryOf(batch)
      try {
        const credential = await vault.credential(batch.key_id)
        const run = await runner.start({
          run_id,
          entry: batch.entry === 'workflows.run' ? 'workflows.run' : 'completion.send',
          path: entry.path,
          events: entry.events as never,
          body: bodyOf(batch, input),
          person_id: batch.person_id,
          parent_id,
          row: { batch_id: batch.id, number },
          credential,
        })
        const call = run ? null : await ledger.brief(run_id)
        if (!run && !call) return { is: 'unsent' }
        const end = run ? await endOf(run) : call && !isLive(call.status) ? runOf(call) : null
        return end ? outcomeOf(end, run ? saidIn(run.state) : null) : NOT_WRITTEN
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return error.problem.status === 503 ? { is: 'unsent' } : { is: 'refused', problem: error.problem, sent: false }
      }
    },

    found(call) {
      if (isLive(call.status)) return null
      return outcomeOf(runOf(call), saidIn(call.answer as FoldState | null))
    },

    outputs({ answer }) {
      const state = answer as FoldState | null
      if (!state) return {}
      const { outputs } = isAnswer(state) ? state.run : state
      return { ...(isAnswer(state) ? { answer: state.text } : {}), ...(outputs === null ? {} : { outputs }) }
    },
  }
}

const entryOf = ({ entry }: BatchRecord) =>
  entry === 'workflows.run' ? contract.workflows.run : contract.completion.send

const bodyOf = ({ settings }: BatchRecord, { inputs, files }: RowInput) => ({
  inputs,
  ...(files ? { files } : {}),
  user: settings?.user,
  response_mode: settings?.response_mode,
})

const endOf = (run: LiveRun): Promise<Run | null> =>
  new Promise((resolve) => {
    run.watch((event) => {
      if ('end' in event) resolve(event.end)
    })
  })

const NOTHING = { result: null, duration_ms: null, tokens: null, price: null, currency: null }
const NOT_WRITTEN: Outcome = {
  ...NOTHING,
  is: 'done',
  state: 'unknown',
  problem: { kind: 'fault', message: 'The console could not write what this run came to. Its frames are kept.' },
}

function outcomeOf(run: Run, result: string | null): Outcome {
  const { problem } = run
  const other = run.status === 'failed' && problem ? againOrRefused(problem) : null
  if (other) return other
  return {
    is: 'done',
    state: stateOf(run),
    problem: problem ?? (run.status === 'interrupted' ? PAUSED : null),
    result,
    duration_ms: run.duration_ms,
    tokens: run.total_tokens,
    price: run.total_price,
    currency: run.currency,
  }
}

const PAUSED: Problem = { kind: 'cut', message: 'The workflow has paused and waits for somebody.' }

function stateOf({ status }: Run): 'succeeded' | 'failed' | 'stopped' | 'unknown' {
  return status === 'succeeded' || status === 'failed' || status === 'stopped' ? status : 'unknown'
}

/** The beginning of an answer, or of the texts and figures among the outputs. */
function saidIn(state: FoldState | null): string | null {
  if (!state) return null
  const outputs = isAnswer(state) ? state.run.outputs : state.outputs
  const text = state.text || wordsOf(outputs, EXCERPT * 2)
  return text.trim() === '' ? null : text.slice(0, EXCERPT)
}
