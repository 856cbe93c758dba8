/** The file of a document, through the server: the browser never loads one from a platform. */
export const DOCUMENT_FILE_PATH = '/api/keys/:key_id/datasets/:dataset_id/documents/:document_id/file'

export interface DocumentFile {
  key: string
  dataset_id: string
  document_id: string
  /** The name under which it is saved. */
  name: string
}

export function documentFilePath({ key, dataset_id, document_id, name }: DocumentFile): string {
  const [keyId, datasetId, documentId] = [key, dataset_id, document_id].map(encodeURIComponent)
  return `/api/keys/${keyId}/datasets/${datasetId}/documents/${documentId}/file?${new URLSearchParams({ name })}`
}
