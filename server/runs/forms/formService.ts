import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { fillPath, type EndpointReply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { RunForm, ScheduledAnswer } from '#contract/console/forms.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import {
  applyPlatformDefinition,
  findAnswerErrors,
  findFormToken,
  type FormAnswerError,
  listRunForms,
} from '#domain/workflowRun/runForms.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type FoldState, getWorkflow } from '../../ledger/runStatus.ts'
import type { Capabilities } from '../../relay/detection/capabilities.ts'
import type { KeyHealth } from '../../relay/detection/keyHealth.ts'
import type { DriftRecorder } from '../../relay/driftRecorder.ts'
import {
  mayHaveExecuted,
  parseJson,
  readRedactedText,
  TIMEOUTS_MS,
  toRefusal,
  type UpstreamClient,
} from '../../relay/upstream/upstream.ts'
import type { PlatformCredential, Vault } from '../../vault/vault.ts'
import type { RunExecutor } from '../runExecutor.ts'
import type { RunResumption } from '../resumption/runResumption.ts'
import {
  findResumptionRisk,
  findAcceptedAnswer,
  findSentAnswers,
  findSettledAnswers,
  type FormInput,
  isSameAnswer,
  SUBMIT_ENTRY,
  type SentAnswer,
  toFormAnswer,
} from './formAnswers.ts'
import { findScheduledAnswer, scheduleAnswer } from './scheduledAnswers.ts'
import { refoldRun } from '../reconciliation/refoldRun.ts'

type FormReply = EndpointReply<typeof contract.console.readRunForm>
type SubmitReply = EndpointReply<typeof contract.console.submitRunForm>

interface FormDeps {
  pool: Pool
  ledger: Ledger
  vault: Vault
  upstream: UpstreamClient
  driftRecorder: DriftRecorder
  capabilities: Capabilities
  keyHealth: KeyHealth
  executor: Pick<RunExecutor, 'liveRuns'>
  resumption: Pick<RunResumption, 'ensureFollowed'>
  server_id: string
}

/** A form of a run with everything needed to ask the platform about it. The token is sent only to the platform. */
interface OpenedForm {
  row: CallRow
  form: RunForm
  token: string | null
}

const SUBMITTED_CODE = 'human_input_form_submitted'
const EXPIRED_CODE = 'human_input_form_expired'

/** Reads and answers the forms of runs with the run's own key, user and token. */
export class FormService {
  readonly #deps: FormDeps

  constructor(deps: FormDeps) {
    this.#deps = deps
  }

  /** The form, its state at the platform while the run waits for it, and the accepted answer of this console. */
  async read(row: CallRow, form_id: string): Promise<FormReply> {
    const opened = await this.#open(row, form_id)
    const { form, token } = opened
    const answer = findAcceptedAnswer(await findSentAnswers(this.#deps.pool, toFormKey(opened)), opened.form.outcome)
    const known = { form, answer: answer && toFormAnswer(answer), resumption_risk: null, scheduled: null }
    if (form.outcome) return { ...known, state: form.outcome.has_expired ? 'expired' : 'submitted' }
    if (answer || !form.is_pending) return { ...known, state: 'submitted' }
    if (token === null) return { ...known, state: 'unknown' }
    const credential = await this.#deps.vault.getCredential(row.key_id)
    const { problem, body } = await this.#readAtPlatform(credential, row, token)
    if (!problem)
      return {
        ...known,
        form: applyPlatformDefinition(form, asRecord(body) ?? {}),
        state: 'open',
        resumption_risk: await findResumptionRisk(this.#deps.pool, row),
        scheduled: await findScheduledAnswer(this.#deps.pool, { run_id: row.id, form_id }),
      }
    const state = toFormState(problem)
    if (state === null) throw new ProblemError(problem)
    return { ...known, state }
  }

  /**
   * Answers a form once.
   * @throws ProblemError 400 with the wrong fields; 404 for an unknown form; 409 for one without a token; 412 if it
   * was answered or has expired; others as reported by the platform
   */
  async submit(row: CallRow, form_id: string, input: FormInput, person_id: string | null): Promise<SubmitReply> {
    const opened = await this.#open(row, form_id)
    const { form } = opened
    const earlier = await this.#findEarlierAnswer(opened, input, person_id)
    if (earlier) return earlier
    if (form.outcome) throw toEndedError(form.outcome.has_expired ? 'expired' : 'submitted', null)
    if (!form.is_pending) return this.#resolveSubmitted(opened, input, person_id)
    const token = requireAnswerable(opened, input)
    const credential = await this.#deps.vault.getCredential(row.key_id)
    await this.#deps.resumption.ensureFollowed(row.id)
    const { problem, call_id } = await this.#submitToPlatform(credential, opened, token, input, person_id)
    if (!problem) {
      const accepted = (await findSentAnswers(this.#deps.pool, toFormKey(opened))).find(({ id }) => id === call_id)
      return { result: 'accepted', answer: toFormAnswer(accepted ?? throwNoForm()) }
    }
    const state = toFormState(problem)
    if (state === 'submitted') return this.#resolveSubmitted(opened, input, person_id, problem)
    throw state === 'expired' ? toEndedError('expired', null, problem) : toSubmitError(problem, form)
  }

  /**
   * Holds an answer until the platform no longer aborts the run.
   * @throws ProblemError 400 with the wrong fields; 404 for an unknown form; 409 if it can be answered now, or only now; 412 if
   * it was answered or has expired
   */
  async schedule(row: CallRow, form_id: string, input: FormInput, person_id: string | null): Promise<ScheduledAnswer> {
    const { pool } = this.#deps
    const opened = await this.#open(row, form_id)
    const { form } = opened
    const accepted = findAcceptedAnswer(await findSentAnswers(pool, toFormKey(opened)), form.outcome)
    if (accepted || !form.is_pending) throw toEndedError(form.outcome?.has_expired ? 'expired' : 'submitted', accepted)
    requireAnswerable(opened, input)
    const risk = await findResumptionRisk(pool, row)
    if (!risk) throw toConflictError(409, 'This form can be answered now.')
    if (form.expires_at !== null && form.expires_at <= risk.until)
      throw toConflictError(409, 'This form expires before the platform can resume its run.')
    return scheduleAnswer(pool, { run_id: row.id, form_id, person_id, ...input }, new Date(risk.until))
  }

  /** The same answer again, after its reply was lost; null if nobody has answered here yet. */
  async #findEarlierAnswer(
    opened: OpenedForm,
    input: FormInput,
    person_id: string | null,
  ): Promise<SubmitReply | null> {
    const accepted = findAcceptedAnswer(await findSentAnswers(this.#deps.pool, toFormKey(opened)), opened.form.outcome)
    if (!accepted) return null
    if (!isSameAnswer(accepted, person_id, input)) throw toEndedError('submitted', accepted)
    return { result: 'already_accepted', answer: toFormAnswer(accepted) }
  }

  /**
   * The platform, or the run, says that another answer came first: an answer of this console, perhaps this very one,
   * or an external one.
   */
  async #resolveSubmitted(
    opened: OpenedForm,
    input: FormInput,
    person_id: string | null,
    problem?: Problem,
  ): Promise<SubmitReply> {
    const answers = await findSettledAnswers(this.#deps.pool, toFormKey(opened))
    const accepted = findAcceptedAnswer(answers, opened.form.outcome)
    if (accepted) {
      if (!isSameAnswer(accepted, person_id, input)) throw toEndedError('submitted', accepted, problem)
      return { result: 'already_accepted', answer: toFormAnswer(accepted) }
    }
    const lost = answers.find((sent) => sent.status === 'unknown' && isSameAnswer(sent, person_id, input))
    if (!lost) throw toEndedError('submitted', null, problem)
    return { result: 'probably_accepted', answer: toFormAnswer(lost) }
  }

  async #open(row: CallRow, form_id: string): Promise<OpenedForm> {
    const run = await this.#getState(row)
    const form = listRunForms(run).find((one) => one.form_id === form_id) ?? throwNoForm()
    return { row, form, token: findFormToken(run, form_id) }
  }

  async #getState(row: CallRow): Promise<RunState> {
    if (isActiveStatus(row.status)) {
      const live = this.#deps.executor.liveRuns.get(row.id)?.state
      return getWorkflow(live ?? (await refoldRun(row, this.#deps.ledger)).state)
    }
    return row.answer ? getWorkflow(row.answer as FoldState) : emptyRun
  }

  async #readAtPlatform(credential: PlatformCredential, row: CallRow, form_token: string) {
    const entry = contract.adjacent.readForm
    const params = entry.params.safeParse({ form_token })
    if (!params.success) throw toConflictError(409, 'The platform gave this form an invalid token.')
    const response = await this.#deps.upstream.send(
      credential,
      {
        method: 'GET',
        path: fillPath(entry.path, params.data),
        accept: 'application/json',
        timeoutMs: TIMEOUTS_MS.read,
      },
      row.id,
    )
    const driftContext = { workspace_id: credential.workspace_id, operation: 'adjacent.readForm', call_id: null }
    const problem = response.status === 200 ? null : await toRefusal(response)
    const body = problem ? null : parseJson(await readRedactedText(response))
    this.#recordOutcome(credential, 'adjacent.readForm', response, problem)
    if (!problem) this.#deps.driftRecorder.recordReply(driftContext, response.status, body)
    else if (toFormState(problem) === null) this.#deps.driftRecorder.recordProblem(driftContext, problem)
    return { problem, body }
  }

  /** One request, recorded as a call without the token. Never throws a problem of the platform. */
  async #submitToPlatform(
    credential: PlatformCredential,
    { row, form }: OpenedForm,
    form_token: string,
    { inputs, action }: FormInput,
    person_id: string | null,
  ): Promise<{ call_id: string; problem: Problem | null }> {
    const { ledger, upstream } = this.#deps
    const entry = contract.adjacent.submitForm
    const params = entry.params.safeParse({ form_token })
    if (!params.success) throw toConflictError(409, 'The platform gave this form an invalid token.')
    const call_id = randomUUID()
    const body = { inputs, action, user: row.end_user ?? '' }
    const startedAt = performance.now()
    const toDuration = () => Math.round(performance.now() - startedAt)
    await ledger.insertCall({
      id: call_id,
      entry: SUBMIT_ENTRY,
      status: 'dispatched',
      person_id,
      workspace_id: row.workspace_id,
      key_id: row.key_id,
      params: { run_id: row.id, form_id: form.form_id },
      request: body,
      request_hash: null,
      response_mode: null,
      title: form.node_title,
      end_user: row.end_user,
      parent_id: null,
      server_id: this.#deps.server_id,
    })
    const driftContext = { workspace_id: row.workspace_id, operation: SUBMIT_ENTRY, call_id }
    try {
      const response = await upstream.send(
        credential,
        {
          method: 'POST',
          path: fillPath(entry.path, params.data),
          body: JSON.stringify(body),
          contentType: 'application/json',
          accept: 'application/json',
          timeoutMs: TIMEOUTS_MS.blocking,
          person_id,
        },
        call_id,
      )
      const isAccepted = response.status >= 200 && response.status < 300
      const problem = isAccepted ? null : await toRefusal(response)
      this.#recordOutcome(credential, SUBMIT_ENTRY, response, problem)
      if (problem) throw new ProblemError(problem)
      const reply = parseJson(await readRedactedText(response)) ?? null
      this.#deps.driftRecorder.recordReply(driftContext, response.status, reply)
      await ledger.endCallEventually(call_id, {
        status: 'succeeded',
        http_status: response.status,
        reply,
        duration_ms: toDuration(),
      })
      return { call_id, problem: null }
    } catch (error) {
      const problem: Problem =
        error instanceof ProblemError
          ? error.problem
          : { kind: 'fault', message: 'The server failed to handle this answer.' }
      const status = mayHaveExecuted(problem) ? 'unknown' : 'failed'
      const http = problem.upstream ? { http_status: problem.upstream.status } : {}
      await ledger.endCallEventually(call_id, { status, problem, duration_ms: toDuration(), ...http })
      void this.#deps.keyHealth.recordProblem(credential, problem, { isRead: false, isOwnKind: false })
      if (!(error instanceof ProblemError)) throw error
      return { call_id, problem }
    }
  }

  #recordOutcome(
    credential: PlatformCredential,
    name: string,
    { status, version, latency_ms }: { status: number; version: string | null; latency_ms: number },
    problem: Problem | null,
  ): void {
    const input = { params: {}, query: null, body: null }
    this.#deps.capabilities.recordOutcome(credential, name, input, {
      status,
      body: problem?.upstream?.body ?? null,
      version,
    })
    if (problem === null) void this.#deps.keyHealth.recordSuccess(credential, latency_ms, false)
  }
}

const toFormKey = ({ row, form }: OpenedForm) => ({
  run_id: row.id,
  workspace_id: row.workspace_id,
  form_id: form.form_id,
})

/** What a refusal says about the form itself; null if it is about something else. */
function toFormState({ upstream }: Problem): 'submitted' | 'expired' | 'unknown' | null {
  const code = asRecord(upstream?.body)?.code
  if (upstream?.status === 412) return code === EXPIRED_CODE ? 'expired' : 'submitted'
  if (code === SUBMITTED_CODE) return 'submitted'
  return upstream?.status === 404 ? 'unknown' : null
}

const ERROR_MESSAGES: Record<FormAnswerError['error'], string> = {
  missing: 'is required',
  unexpected: 'is not a field of this form',
  not_text: 'must be text',
  not_option: 'must be one of the options of this form',
  not_file: 'must be a file that was uploaded or has a URL',
  too_many_files: 'has more files than this form takes',
  unknown_action: 'must be an action of this form',
}

function requireValidAnswer(form: RunForm, input: FormInput): void {
  const fields = findAnswerErrors(form, input).map(({ field, error }) => ({
    path: error === 'unknown_action' ? 'body.action' : `body.inputs.${field}`,
    message: ERROR_MESSAGES[error],
  }))
  const [first] = fields
  if (!first) return
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  throw new ProblemError({ kind: 'invalid', status: 400, message: `${first.path} ${first.message}${more}`, fields })
}

/**
 * @returns the token of the form
 * @throws ProblemError 400 with the wrong fields, 409 for a form that cannot be answered here
 */
function requireAnswerable({ row, form, token }: OpenedForm, input: FormInput): string {
  if (token === null) throw toConflictError(409, 'This form is delivered by e-mail and cannot be answered here.')
  requireValidAnswer(form, input)
  if (row.end_user === null)
    throw toConflictError(409, 'The end user of this run is not known, so its form cannot be answered here.')
  return token
}

function toEndedError(state: 'submitted' | 'expired', by: SentAnswer | null, problem?: Problem): ProblemError {
  const upstream = problem?.upstream ? { upstream: problem.upstream } : {}
  const message =
    state === 'expired'
      ? 'This form has expired. Nothing was sent to the platform.'
      : by
        ? `This form was already answered here${by.person === null ? '' : ` by ${by.person}`}. Your answer was not used.`
        : 'This form was already answered outside this console. Your answer was not used.'
  return new ProblemError({ kind: 'invalid', status: 412, message, ...upstream })
}

/** The platform's refusal, at the field if it names one. */
function toSubmitError(problem: Problem, form: RunForm): ProblemError {
  if (problem.upstream?.status === 404)
    return new ProblemError({
      kind: 'invalid',
      status: 404,
      message: 'The platform no longer knows this form.',
      upstream: problem.upstream,
    })
  if (problem.upstream?.status !== 400) return new ProblemError(problem)
  const fields = form.fields
    .filter(({ name }) => new RegExp(`(^|[^\\w])${escapeRegExp(name)}($|[^\\w])`).test(problem.message))
    .map(({ name }) => ({ path: `body.inputs.${name}`, message: problem.message }))
  return new ProblemError({ ...problem, ...(fields.length > 0 ? { fields } : {}) })
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const toConflictError = (status: number, message: string) => new ProblemError({ kind: 'invalid', status, message })

function throwNoForm(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'This run has no such form.' })
}
