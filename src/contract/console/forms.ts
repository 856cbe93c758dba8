import { z } from 'zod'
import { endpoint, Id, PathSegmentId } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import * as shape from '../platform/schemas.ts'
import { Run } from './runs.ts'

/** A field of a form. An unknown kind is answered as text. */
export const FormField = z.object({
  /** Its `output_variable_name`, the name under which the value is sent. */
  name: z.string(),
  kind: z.string(),
  /** The initial text; the platform resolves a variable of the run. */
  initial: z.string(),
  /** Options of a `select`; empty if the definition names none. */
  options: z.array(z.string()),
  /** Limits of a `file` or `file-list`; empty lists and null allow everything. Null for other kinds. */
  files: z
    .object({
      types: z.array(z.string()),
      extensions: z.array(z.string()),
      methods: z.array(z.string()),
      maxFiles: z.number().nullable(),
    })
    .nullable(),
})
export type FormField = z.output<typeof FormField>

/** A button of a form; `style` is `primary`, `default`, `accent`, `ghost`, or another word. */
export const FormAction = z.object({ id: z.string(), title: z.string(), style: z.string() })
export type FormAction = z.output<typeof FormAction>

/** How a form ended, according to the run's own frames: the outputs of its node, or an event about the form. */
export const FormOutcome = z.object({
  /** It timed out, and the run continued without an answer. */
  has_expired: z.boolean(),
  action_id: z.string().nullable(),
  action_title: z.string().nullable(),
  /** The values by field name. */
  inputs: z.record(z.string(), z.unknown()),
})
export type FormOutcome = z.output<typeof FormOutcome>

/** A human input form of a run as its platform defined it; without its token. */
export const RunForm = z.object({
  form_id: z.string(),
  node_id: z.string().nullable(),
  node_title: z.string(),
  /** Markdown; `{{#$output.name#}}` is the place of a field. */
  content: z.string(),
  fields: z.array(FormField),
  actions: z.array(FormAction),
  /** Null if it does not expire. */
  expires_at: z.string().nullable(),
  /** False if the platform delivers it in another way, such as by e-mail. */
  can_answer: z.boolean(),
  /** Other ways to answer, in the platform's words: `email`, `console`, `web_app`. */
  channels: z.array(z.string()),
  /** True while the run waits for it. */
  is_pending: z.boolean(),
  outcome: FormOutcome.nullable(),
})
export type RunForm = z.output<typeof RunForm>

const FormInput = z.strictObject({ inputs: shape.objectField, action: z.string().min(1).max(255) })

/** An answer that was sent from this console, from the ledger. */
export const FormAnswer = z.object({
  person: z.string().nullable(),
  at: z.string(),
  action: z.string(),
  inputs: z.record(z.string(), z.unknown()),
})
export type FormAnswer = z.output<typeof FormAnswer>

/** An answer that the server sends once, at `at`. */
export const ScheduledAnswer = FormAnswer.extend({
  /** Why it could not be sent; it is not sent again. */
  problem: Problem.nullable(),
})
export type ScheduledAnswer = z.output<typeof ScheduledAnswer>

/** The platform's release may abort a run that continues before `until`. */
export const ResumptionRisk = z.object({
  until: z.string(),
  /** It did so with the last answered run of this workspace. */
  has_happened: z.boolean(),
})
export type ResumptionRisk = z.output<typeof ResumptionRisk>

/** A paused run and the forms that it waits for; none if its platform sent none. */
export const WaitingRun = z.object({
  run: Run,
  forms: z.array(RunForm.pick({ form_id: true, node_title: true, expires_at: true, can_answer: true })),
})
export type WaitingRun = z.output<typeof WaitingRun>

export const formEndpoints = {
  /** Paused runs in the person's scope, earliest deadline first; runs without a deadline follow, newest first. */
  listWaiting: endpoint({
    method: 'GET',
    path: '/api/waiting',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional(), limit: shape.intParam(1, 200).default(50) }),
    reply: z.object({ data: z.array(WaitingRun), total: z.number(), limit: z.number() }),
    tags: ['runs'],
  }),
  /**
   * A form of a run. While the run waits for it, the platform is asked: `submitted` even if it was answered outside
   * this console, `unknown` if the platform does not know the form or has given no token for it.
   */
  readRunForm: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/forms/:form_id',
    key: 'none',
    permission: 'read',
    params: { form_id: PathSegmentId },
    reply: z.object({
      form: RunForm,
      state: z.enum(['open', 'submitted', 'expired', 'unknown']),
      /** The accepted answer, if it was sent from this console. */
      answer: FormAnswer.nullable(),
      /** Null for a form that is not open, and if the answer can be sent at any time. */
      resumption_risk: ResumptionRisk.nullable(),
      scheduled: ScheduledAnswer.nullable(),
    }),
    tags: ['runs'],
  }),
  /**
   * Answers a form as the run's end user. Refused with 412 if it was answered or has expired. The same answer again is no
   * error: `already_accepted` if an earlier request of the same person was, `probably_accepted` if one was sent and its reply
   * was lost.
   */
  submitRunForm: endpoint({
    method: 'POST',
    path: '/api/runs/:run_id/forms/:form_id',
    key: 'none',
    permission: 'run',
    params: { form_id: PathSegmentId },
    body: FormInput,
    reply: z.object({
      result: z.enum(['accepted', 'already_accepted', 'probably_accepted']),
      answer: FormAnswer,
    }),
    invalidates: ['runs'],
  }),
  /** Schedules an answer for when the platform no longer aborts the run; it replaces one that is scheduled already. */
  scheduleRunForm: endpoint({
    method: 'PUT',
    path: '/api/runs/:run_id/forms/:form_id/scheduled',
    key: 'none',
    permission: 'run',
    params: { form_id: PathSegmentId },
    body: FormInput,
    reply: ScheduledAnswer,
    invalidates: ['runs'],
  }),
  /** 409 once it is being sent. */
  cancelScheduledForm: endpoint({
    method: 'DELETE',
    path: '/api/runs/:run_id/forms/:form_id/scheduled',
    key: 'none',
    permission: 'run',
    params: { form_id: PathSegmentId },
    reply: z.object({ form_id: z.string() }),
    invalidates: ['runs'],
  }),
}
