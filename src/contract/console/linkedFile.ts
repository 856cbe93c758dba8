/** A file that an answer names by its URL, through the server: the browser never loads one from elsewhere. */
export const LINKED_FILE_PATH = '/api/runs/:run_id/linked-file'

/**
 * Whether a URL is one of the platform's own files (`/files/…` beside the base URL). Its other paths are none: a link in an
 * answer must not make the server call an operation.
 */
export function isPlatformFile(url: URL, base_url: string): boolean {
  const { host, protocol, pathname } = new URL(base_url)
  const folder = pathname.replace(/\/[^/]*\/?$/, '')
  return url.protocol === protocol && url.host === host && url.pathname.startsWith(`${folder}/files/`)
}

/** The URL of a file as it stands in an answer; null if it is no http or https URL, or an address without an origin that is no file. */
export function toLinkedFileUrl(given: string, base_url: string): URL | null {
  const hasOrigin = /^https?:\/\//i.test(given)
  if (!hasOrigin && !/^\/(?![/\\])/.test(given)) return null
  const url = URL.canParse(given, base_url) ? new URL(given, base_url) : null
  return url && (hasOrigin || isPlatformFile(url, base_url)) ? url : null
}

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
