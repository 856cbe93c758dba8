import type { FileType, TransferMethod } from '../inputForm.ts'

/** A file of a run as it is stored and returned. A remote one is recorded by its URL and never fetched. */
export interface RecordedFile {
  /** Upstream's marker of a file among the values of a run. */
  dify_model_identity: '__dify__file__'
  id: string
  type: FileType
  transfer_method: TransferMethod
  url: string | null
  upload_file_id: string | null
  filename: string
  extension: string
  mime_type: string | null
  /** Bytes; null for a remote file. */
  size: number | null
}
