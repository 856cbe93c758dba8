import { z } from 'zod'
import { endpoint, Id } from '../../endpoint.ts'
import { ExperimentDifference } from '../suites.ts'

/** Regressed cases of which the causes are looked for: the first ones of the suite. */
export const MAX_EXPLAINED_CASES = 200
/** Edits on record that are looked at, the newest first. */
export const MAX_EXAMINED_EDITS = 2_000
/** Causes that are named for each case. */
export const MAX_CAUSES_PER_CASE = 5

/** `segment_changed_unrecorded`: the platform's own replies show a change that did not go through this console. */
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

/** Something that changed between two experiments, on which the answers of regressed cases depended. */
export const ExperimentCause = z.object({
  id: z.string(),
  kind: z.enum(CAUSE_KINDS),
  /** The call in the ledger that made the change, who sent it and when; null where there is none. */
  call: z.string().nullable(),
  person: z.string().nullable(),
  at: z.string().nullable(),
  dataset_id: z.string().nullable(),
  document_id: z.string().nullable(),
  segment_id: z.string().nullable(),
  document_name: z.string().nullable(),
  /** The settings that differ, with both values. */
  differences: z.array(ExperimentDifference),
  /** The regressed cases that depended on it. */
  cases: z.number(),
})
export type ExperimentCause = z.output<typeof ExperimentCause>

/** The causes of one regressed case, the likeliest first. */
export const CaseCauses = z.object({
  case_id: z.string(),
  causes: z.array(
    z.object({
      id: z.string(),
      /** How much of the cited text changed, from 0 to 1; null where the texts are not known, or it is no change of a text. */
      changed_share: z.number().nullable(),
    }),
  ),
})
export type CaseCauses = z.output<typeof CaseCauses>

/** Why cases regressed between two experiments, as far as that is on record. */
export const ExperimentCauses = z.object({
  /** For the comparison as a whole, the likeliest first. */
  data: z.array(ExperimentCause),
  total: z.number(),
  cases: z.array(CaseCauses),
  /** The cases that regressed, and those of them that were looked at. */
  regressed: z.number(),
  examined: z.number(),
  /** Whether all edits of that time were looked at. */
  is_complete: z.boolean(),
  from: z.string(),
  to: z.string(),
})
export type ExperimentCauses = z.output<typeof ExperimentCauses>

export const experimentCauseEndpoints = {
  /** What changed since an earlier experiment of the same suite (`with`), on which cases depended that regressed. */
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
