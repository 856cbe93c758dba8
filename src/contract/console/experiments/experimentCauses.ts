import { z } from 'zod'
import { endpoint, Id } from '../../endpoint.ts'
import { ExperimentDifference } from '../suites.ts'

/** Regressed cases whose causes are searched: the first ones of the suite. */
export const MAX_EXPLAINED_CASES = 200
/** Maximum recorded edits that are examined, newest first. */
export const MAX_EXAMINED_EDITS = 2_000
/** Maximum causes per case. */
export const MAX_CAUSES_PER_CASE = 5

/** `segment_changed_unrecorded`: the platform's own replies show a change that was not made through this console. */
export const CAUSE_KINDS = [
  'segment_edited',
  'segment_disabled',
  'segment_enabled',
  'segment_deleted',
  'segment_added',
  'child_chunks_edited',
  'document_replaced',
  'document_disabled',
  'document_enabled',
  'document_deleted',
  'document_added',
  'dataset_settings',
  'dataset_deleted',
  'app_version',
  'app_parameters',
  'experiment_settings',
  'segment_changed_unrecorded',
] as const
export type CauseKind = (typeof CAUSE_KINDS)[number]

/** A change between two experiments that affects the answers of regressed cases. */
export const ExperimentCause = z.object({
  id: z.string(),
  kind: z.enum(CAUSE_KINDS),
  /** The call that made the change, its person and time; null without a call. */
  call: z.string().nullable(),
  person: z.string().nullable(),
  at: z.string().nullable(),
  dataset_id: z.string().nullable(),
  document_id: z.string().nullable(),
  segment_id: z.string().nullable(),
  document_name: z.string().nullable(),
  /** The settings that differ, with both values. */
  differences: z.array(ExperimentDifference),
  /** The number of affected regressed cases. */
  cases: z.number(),
})
export type ExperimentCause = z.output<typeof ExperimentCause>

/** The causes of one regressed case, most likely first. */
export const CaseCauses = z.object({
  case_id: z.string(),
  causes: z.array(
    z.object({
      id: z.string(),
      /**
       * How much of the cited text changed, from 0 to 1; null if the texts are unknown, or it is not a change of
       * text.
       */
      changed_share: z.number().nullable(),
    }),
  ),
})
export type CaseCauses = z.output<typeof CaseCauses>

/** Why cases regressed between two experiments, as far as recorded. */
export const ExperimentCauses = z.object({
  /** For the whole comparison, most likely first. */
  data: z.array(ExperimentCause),
  total: z.number(),
  cases: z.array(CaseCauses),
  /** The number of regressed cases, and of those examined. */
  regressed: z.number(),
  examined: z.number(),
  /** Whether all edits of that time were examined. */
  is_complete: z.boolean(),
  from: z.string(),
  to: z.string(),
})
export type ExperimentCauses = z.output<typeof ExperimentCauses>

export const experimentCauseEndpoints = {
  /** What changed since an earlier experiment of the same suite (`with`) and affects regressed cases. */
  explainRegressions: endpoint({
    method: 'GET',
    path: '/api/experiments/:experiment_id/causes',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ with: Id }),
    reply: ExperimentCauses,
    tags: ['suites', 'batches', 'calls'],
  }),
}
