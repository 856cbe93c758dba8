import { z } from 'zod'

/** What an experiment ran on, at its start and at its end. Hashes are equal where nothing differs. */
export const DatasetFingerprint = z.object({
  dataset_id: z.string(),
  /** Over its documents and what of their segments could be listed; null where the documents could not. */
  hash: z.string().nullable(),
  /** Over how it is indexed and searched; null where that could not be read. */
  settings: z.string().nullable(),
  documents: z.number().nullable(),
  /** What could not be listed: `settings`, `documents`, `further_documents`, `segments`. */
  unknown: z.array(z.string()),
})
export type DatasetFingerprint = z.output<typeof DatasetFingerprint>

export const Fingerprint = z.object({
  at: z.string(),
  /** Over the parameters of the app as this console read them last; null for a retrieval, and where nobody has. */
  parameters: z.string().nullable(),
  /** The versions of a workflow that ran; empty at the start. */
  versions: z.array(z.string()),
  /** The dataset of a retrieval, or those that the answers cited. */
  datasets: z.array(DatasetFingerprint),
})
export type Fingerprint = z.output<typeof Fingerprint>

/** Null where it was not recorded, as by an earlier release or a server that stopped. */
export const ExperimentFingerprints = z.object({ start: Fingerprint.nullable(), end: Fingerprint.nullable() })
export type ExperimentFingerprints = z.output<typeof ExperimentFingerprints>

/** Stored beside the fingerprint of a dataset. */
export interface DocumentFingerprint {
  dataset_id: string
  id: string
  name: string
  hash: string
  has_segments: boolean
}
