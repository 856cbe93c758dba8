import { createHash } from 'node:crypto'
import type { Check } from '#contract/console/checks.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus, isSuccessStatus } from '#contract/console/runs.ts'
import { type Judgement, UndecidableCheckError } from '#domain/checks/checkedResult.ts'
import { type JudgedCase, toJudgeQuestions } from '#domain/checks/judge/judgeQuestions.ts'
import { type JudgeReply, parseJudgeReply, toJudgedScore } from '#domain/checks/judge/judgeReplies.ts'
import { toExcerpt } from '#domain/checks/textChecks.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { FoldState, GeneratingEntry } from '../../ledger/runStatus.ts'
import type { RunExecutor } from '../../runs/runExecutor.ts'
import type { PlatformCredential, Vault } from '../../vault/vault.ts'
import { classifyFailure } from '../../batches/retryPolicy.ts'
import { toAnswerText } from '../checkedRun.ts'
import { addPlainPrices, toPlainPrice } from '#domain/price.ts'

export interface JudgedRow {
  batch_id: string
  /** The call of the row: another attempt is judged again. */
  run_id: string
  person_id: string | null
  end_user: string
}

export interface JudgeUsage {
  tokens: number | null
  price: string | null
  currency: string | null
}

const MAX_TRIES = 2
/** Milliseconds before the second attempt if the platform asks to wait. */
const DEFAULT_WAIT_MS = 2_000
const MAX_WAIT_MS = 10_000

/**
 * Runs the judging apps. The id of each run is derived from the row's call, the check, the order and the attempt, so
 * that a run that is in the ledger after a crash is used instead of repeated.
 */
export class JudgeRuns {
  readonly #vault: Vault
  readonly #executor: RunExecutor
  readonly #ledger: Ledger

  constructor({ vault, executor, ledger }: { vault: Vault; executor: RunExecutor; ledger: Ledger }) {
    this.#vault = vault
    this.#executor = executor
    this.#ledger = ledger
  }

  /** @returns null if a run continues on another server, or this one is stopping */
  async judge(
    row: JudgedRow,
    checks: readonly { check: Check; index: number }[],
    judged: JudgedCase,
  ): Promise<{ judgements: Map<Check, Judgement>; usage: JudgeUsage } | null> {
    const judgements = new Map<Check, Judgement>()
    const calls: CallRow[] = []
    for (const { check, index } of checks) {
      const judgement = await this.#judgeCheck(row, check, index, judged, calls)
      if (!judgement) return null
      judgements.set(check, judgement)
    }
    return { judgements, usage: sumUsage(calls) }
  }

  async #judgeCheck(
    row: JudgedRow,
    check: Check,
    index: number,
    judged: JudgedCase,
    calls: CallRow[],
  ): Promise<Judgement | null> {
    let run: string | null = null
    try {
      const questions = toJudgeQuestions(check, judged)
      const credential = await this.#vault.getCredential(check.judge ?? '')
      const replies: JudgeReply[] = []
      for (const [order, question] of questions.entries()) {
        const asked = await this.#askTwice(row, check, credential, question, [index, order], calls)
        if (!asked) return null
        run = asked.run
        replies.push(asked.reply)
      }
      return { score: toJudgedScore(replies), run }
    } catch (error) {
      if (error instanceof JudgeError) return { error: error.message, run: error.run }
      if (error instanceof UndecidableCheckError) return { error: error.message, run }
      if (error instanceof ProblemError) return { error: error.problem.message, run }
      throw error
    }
  }

  /** @throws JudgeError after the last attempt */
  async #askTwice(
    row: JudgedRow,
    check: Check,
    credential: PlatformCredential,
    question: string,
    place: readonly number[],
    calls: CallRow[],
  ): Promise<{ reply: JudgeReply; run: string } | null> {
    for (let attempt = 0; ; attempt++) {
      const run = toJudgeRunId(row.run_id, [...place, attempt])
      const call = await this.#ask(run, row, check, credential, question)
      if (!call) return null
      calls.push(call)
      const text = isSuccessStatus(call.status) ? toAnswerText(call.answer as FoldState) : null
      const reply = text === null ? null : parseJudgeReply(text)
      if (reply) return { reply, run }
      if (attempt + 1 >= MAX_TRIES) throw new JudgeError(toFailure(call, text), run)
      await waitFor(call.problem)
    }
  }

  /** The call of a judge's run, which may already be in the ledger; null while it runs on another server. */
  async #ask(
    run_id: string,
    { batch_id, person_id, end_user }: JudgedRow,
    { input }: Check,
    credential: PlatformCredential,
    question: string,
  ): Promise<CallRow | null> {
    const known = await this.#ledger.findWithBody(run_id)
    if (known && !isActiveStatus(known.status)) return known
    const app = JUDGE_APPS[credential.kind]
    if (!app) throw new UndecidableCheckError(`A ${credential.kind} key cannot be used as a judge.`)
    try {
      const run = await this.#executor.start({
        run_id,
        entry: app.entry,
        path: app.path,
        body: {
          ...(app.entry === 'chat.send'
            ? { query: question, inputs: {}, auto_generate_name: false }
            : { inputs: { [input ?? DEFAULT_JUDGE_INPUT]: question } }),
          user: end_user,
          response_mode: 'streaming',
        },
        person_id,
        parent_id: null,
        origin: { kind: 'batch', id: batch_id },
        credential,
      })
      await run?.ended
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 503) return null
      throw error
    }
    const call = await this.#ledger.findWithBody(run_id)
    return call && !isActiveStatus(call.status) ? call : null
  }
}

/** All attempts of a judge failed. */
class JudgeError extends Error {
  readonly run: string

  constructor(message: string, run: string) {
    super(message)
    this.run = run
  }
}

const DEFAULT_JUDGE_INPUT = 'query'

const JUDGE_APPS: Partial<Record<PlatformCredential['kind'], { entry: GeneratingEntry; path: string }>> = {
  chat: { entry: 'chat.send', path: contract.chat.send.path },
  completion: { entry: 'completion.send', path: contract.completion.send.path },
  workflow: { entry: 'workflows.run', path: contract.workflows.run.path },
}

export const canJudge = ({ kind }: PlatformCredential): boolean => JUDGE_APPS[kind] !== undefined

/** Version 8 of RFC 9562: derived from a hash. */
function toJudgeRunId(run_id: string, place: readonly number[]): string {
  const hash = createHash('sha256')
    .update(['judge', run_id, ...place].join(' '))
    .digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function toFailure({ status, problem, error_message }: CallRow, text: string | null): string {
  if (text !== null) return `The judge did not answer with the JSON that was asked for: “${toExcerpt(text)}”`
  return `The judge’s run is ${status}: ${problem?.message ?? error_message ?? 'the platform gave no reason.'}`
}

/** Waits if the platform did nothing because it was busy or unreachable. */
async function waitFor(problem: Problem | null): Promise<void> {
  const failure = problem && classifyFailure(problem)
  if (failure?.is !== 'again') return
  const waitMs = Math.min(failure.wait === null ? DEFAULT_WAIT_MS : failure.wait * 1_000, MAX_WAIT_MS)
  await new Promise((resolve) => setTimeout(resolve, waitMs))
}

/** Prices in a second currency are not added. */
function sumUsage(calls: readonly CallRow[]): JudgeUsage {
  const counted = calls.flatMap(({ total_tokens }) => total_tokens ?? [])
  const priced = calls.flatMap(({ total_price, currency }) => {
    const price = toPlainPrice(total_price ?? '')
    return price === null ? [] : [{ price, currency }]
  })
  const currency = priced[0]?.currency ?? null
  const prices = priced.filter((call) => call.currency === currency).map(({ price }) => price)
  return {
    tokens: counted.length === 0 ? null : counted.reduce((all, one) => all + one, 0),
    price: prices.length === 0 ? null : prices.reduce(addPlainPrices),
    currency,
  }
}

/** Adds the usage of the judges' runs to that of the row. */
export function addJudgeUsage<Used extends JudgeUsage>(row: Used, judge: JudgeUsage): Used {
  const tokens = row.tokens === null && judge.tokens === null ? null : (row.tokens ?? 0) + (judge.tokens ?? 0)
  if (judge.price === null) return { ...row, tokens }
  if (row.price === null) return { ...row, tokens, price: judge.price, currency: judge.currency }
  const price = toPlainPrice(row.price)
  return row.currency === judge.currency && price !== null
    ? { ...row, tokens, price: addPlainPrices(price, judge.price) }
    : { ...row, tokens }
}
