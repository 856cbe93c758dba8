/** A file that an answer names by its URL, through the server: the browser never loads one from elsewhere. */
export const LINKED_FILE_PATH = '/api/runs/:run_id/linked-file'

export interface LinkedFile {
  run_id: string
  /** As it stands in the answer: absolute, or below the origin of the platform (`/files/…`). */
  url: string
  /** The name under which it is saved; without it, only an image is answered. */
  download?: string
}

export function linkedFilePath({ run_id, url, download }: LinkedFile): string {
  const search = new URLSearchParams({ url, ...(download ? { download } : {}) })
  return `/api/runs/${encodeURIComponent(run_id)}/linked-file?${search}`
}
