import { randomInt } from 'node:crypto'
import { and, eq, gt, lte } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PlatformContext } from '../../platformContext.ts'
import { PlatformError, toPlatformError } from '../../platformErrors.ts'
import type { PreparedForm } from '../../workflow/humanInput.ts'
import type { FormField } from '../../workflow/workflowGraph.ts'
import type { Message } from '../chat/conversations.ts'
import { recordFiles, type FileOwner } from '../files/recordedFiles.ts'
import { humanInputForms, messages, workflowRuns } from '../schema.ts'
import type { HumanInputFormRow, WorkflowRunRow } from './runReplies.ts'

const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** As long as upstream's: 131 random bits. */
const TOKEN_CHARS = 22

const createToken = (): string =>
  Array.from({ length: TOKEN_CHARS }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join('')

/** @param now epoch ms */
export function toFormValues(
  run: WorkflowRunRow,
  { timeout_ms, ...form }: PreparedForm,
  now: number,
): typeof humanInputForms.$inferInsert {
  return {
    ...form,
    id: crypto.randomUUID(),
    app: run.app,
    workflow_run_id: run.id,
    token: createToken(),
    status: 'waiting',
    created_at: new Date(now),
    expires_at: new Date(now + timeout_ms),
  }
}

/** @throws PlatformError 404 for an unknown token, and for a form of another application */
export async function findForm(
  { database }: PlatformContext,
  app: string | null,
  token: string,
): Promise<HumanInputFormRow> {
  const [form] = await database.db.select().from(humanInputForms).where(eq(humanInputForms.token, token))
  if (!form || form.app !== app) throw new PlatformError(404, 'not_found', 'Form not found')
  return form
}

/** @throws PlatformError 412 if the form can no longer be answered */
export function requireOpenForm({ id, status, expires_at }: HumanInputFormRow, now: number): void {
  if (status === 'submitted')
    throw new PlatformError(
      412,
      'human_input_form_submitted',
      `This form has already been submitted by another user, form_id=${id}`,
    )
  if (status === 'expired' || expires_at.getTime() <= now)
    throw new PlatformError(412, 'human_input_form_expired', `This form has expired, form_id=${id}`)
}

const toFormDataError = (message: string) => new PlatformError(400, 'invalid_form_data', message)

/**
 * Checks the values of a submission against the fields of its form. Undeclared values are dropped.
 * @throws PlatformError 400 `invalid_form_data` that names the field
 */
export async function checkFormValues(
  { database }: PlatformContext,
  submitter: FileOwner,
  { inputs, actions }: HumanInputFormRow,
  { action, values }: { action: string; values: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  if (!actions.some(({ id }) => id === action)) throw toFormDataError(`Invalid action: ${action}`)
  const names = inputs.map((field) => field.output_variable_name)
  const missing = names.filter((name) => !Object.hasOwn(values, name) || values[name] === null)
  if (missing.length > 0) throw toFormDataError(`Missing required inputs: ${missing.join(', ')}`)
  const checked: Record<string, unknown> = {}
  for (const field of inputs) {
    const value = values[field.output_variable_name]
    checked[field.output_variable_name] = await checkFieldValue(database, submitter, field, value)
  }
  return checked
}

async function checkFieldValue(
  database: PlatformContext['database'],
  submitter: FileOwner,
  field: FormField,
  value: unknown,
): Promise<unknown> {
  const name = field.output_variable_name
  if (field.type === 'paragraph' || field.type === 'select') {
    if (typeof value !== 'string') throw toFormDataError(`${name} must be a string`)
    const options = field.type === 'select' ? field.option_source.value : [value]
    if (!options.includes(value)) throw toFormDataError(`${name} must be one of ${options.join(', ')}`)
    return value
  }
  const isList = field.type === 'file-list'
  if (isList && (!Array.isArray(value) || value.length === 0))
    throw toFormDataError(`${name} must be a list of file objects`)
  const rule = {
    types: field.allowed_file_types,
    extensions: field.allowed_file_extensions,
    methods: field.allowed_file_upload_methods,
    maxFiles: field.type === 'file-list' ? field.number_limits : 1,
  }
  try {
    const files = await recordFiles(database, submitter, isList ? (value as unknown[]) : [value], rule, name)
    return isList ? files : files[0]
  } catch (error) {
    const refusal = toPlatformError(error)
    throw refusal.status === 400 ? toFormDataError(refusal.message) : error
  }
}

/** How a form was closed: by a submission, or by its timeout. */
export type FormClosure = Pick<HumanInputFormRow, 'action' | 'values' | 'submitted_by'> & {
  status: 'submitted' | 'expired'
}

/** A run that continues: its rows are marked as running. */
export interface ClaimedForm {
  form: HumanInputFormRow
  run: WorkflowRunRow
  /** The message of a chatflow, if it was not deleted. */
  message: Message | null
}

/**
 * Closes a form and marks its run as running: exactly one caller succeeds, in whichever process.
 * @returns null if the form was closed before
 */
export async function claimForm(
  { database, clock }: PlatformContext,
  id: string,
  closure: FormClosure,
): Promise<ClaimedForm | null> {
  const now = new Date(clock())
  const isInTime = closure.status === 'submitted' ? gt : lte
  return database.transaction(async (client) => {
    const db = drizzle(client)
    const [form] = await db
      .update(humanInputForms)
      .set({ ...closure, closed_at: now })
      .where(
        and(
          eq(humanInputForms.id, id),
          eq(humanInputForms.status, 'waiting'),
          isInTime(humanInputForms.expires_at, now),
        ),
      )
      .returning()
    if (!form) return null
    const [run] = await db
      .update(workflowRuns)
      .set({ status: 'running', resumed_at: now })
      .where(eq(workflowRuns.id, form.workflow_run_id))
      .returning()
    const [message] = await db
      .update(messages)
      .set({ status: 'running' })
      .where(eq(messages.workflow_run_id, form.workflow_run_id))
      .returning()
    if (!run) throw new Error('the run is no longer there')
    return { form, run, message: message ?? null }
  })
}

/** Undoes a claim whose run could not be continued. */
export async function releaseForm({ database }: PlatformContext, { form, run, message }: ClaimedForm): Promise<void> {
  await database.transaction(async (client) => {
    const db = drizzle(client)
    await db
      .update(humanInputForms)
      .set({ status: 'waiting', action: null, values: null, submitted_by: null, closed_at: null })
      .where(eq(humanInputForms.id, form.id))
    await db.update(workflowRuns).set({ status: 'paused' }).where(eq(workflowRuns.id, run.id))
    if (message) await db.update(messages).set({ status: 'paused' }).where(eq(messages.id, message.id))
  })
}
