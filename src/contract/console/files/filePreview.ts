/** A file that was sent with a question, through the server: the browser never loads one from a platform. */
export const FILE_PREVIEW_PATH = '/api/keys/:key_id/uploaded-files/:file_id'

export interface FilePreview {
  key: string
  /** `upload_file_id` of the request, or the id of a message's file. */
  file_id: string
  user: string
  conversation: string | null
  /** The name under which it is saved; without it an image is shown. */
  download?: string
}

export function filePreviewPath({ key, file_id, user, conversation, download }: FilePreview): string {
  const search = new URLSearchParams({
    user,
    ...(conversation ? { conversation } : {}),
    ...(download ? { download } : {}),
  })
  return `/api/keys/${encodeURIComponent(key)}/uploaded-files/${encodeURIComponent(file_id)}?${search}`
}
