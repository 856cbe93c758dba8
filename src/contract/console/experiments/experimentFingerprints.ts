import { z } from 'zod'

/** What an experiment ran on, at its start and end. Equal hashes mean no difference. */
export const DatasetFingerprint = z.object({
  dataset_id: z.string(),
  /** Over its documents and their listed segments; null if the documents could not be listed. */
  hash: z.string().nullable(),
  /** Over how it is indexed and searched; null if that could not be read. */
  settings: z.string().nullable(),
  documents: z.number().nullable(),
  /** What could not be listed: `settings`, `documents`, `further_documents`, `segments`. */
  unknown: z.array(z.string()),
})
export type DatasetFingerprint = z.output<typeof DatasetFingerprint>

export const Fingerprint = z.object({
  at: z.string(),
  /** Over the last read parameters of the app; null for a retrieval, and if nobody has read them. */
  parameters: z.string().nullable(),
  /** The versions of the workflow that ran; empty at the start. */
  versions: z.array(z.string()),
  /** The dataset of a retrieval, or those that the answers cited. */
  datasets: z.array(DatasetFingerprint),
})
export type Fingerprint = z.output<typeof Fingerprint>

/** Null if it was not recorded, as by an earlier release or a stopped server. */
export const ExperimentFingerprints = z.object({ start: Fingerprint.nullable(), end: Fingerprint.nullable() })
export type ExperimentFingerprints = z.output<typeof ExperimentFingerprints>

/** Stored with the fingerprint of a dataset. */
export interface DocumentFingerprint {
  dataset_id: string
  id: string
  name: string
  hash: string
  has_segments: boolean
}
