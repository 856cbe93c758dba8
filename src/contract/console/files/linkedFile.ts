import { z } from 'zod'
import { endpoint, Id } from '../../endpoint.ts'

/** A file that an answer names by its URL, through the server: the browser loads none from other hosts. */
export const LINKED_FILE_PATH = '/api/runs/:run_id/linked-file'

/**
 * Whether a URL is one of the platform's own files (`/files/…` next to the base URL). Other paths do not count: a
 * link in an answer must not make the server call an operation.
 */
export function isPlatformFile(url: URL, base_url: string): boolean {
  const { host, protocol, pathname } = new URL(base_url)
  const folder = pathname.replace(/\/[^/]*\/?$/, '')
  return url.protocol === protocol && url.host === host && url.pathname.startsWith(`${folder}/files/`)
}

/** The URL of a file in an answer; null if it is not an http or https URL, or has no origin and is not a file. */
export function toLinkedFileUrl(given: string, base_url: string): URL | null {
  const hasOrigin = /^https?:\/\//i.test(given)
  if (!hasOrigin && !/^\/(?![/\\])/.test(given)) return null
  const url = URL.canParse(given, base_url) ? new URL(given, base_url) : null
  return url && (hasOrigin || isPlatformFile(url, base_url)) ? url : null
}

export interface LinkedFile {
  run_id: string
  /** As written in the answer: absolute, or relative to the platform's origin (`/files/…`). */
  url: string
  /** The name under which it is saved; without it, only images are returned. */
  download?: string
}

export function linkedFilePath({ run_id, url, download }: LinkedFile): string {
  const search = new URLSearchParams({ url, ...(download ? { download } : {}) })
  return `/api/runs/${encodeURIComponent(run_id)}/linked-file?${search}`
}

/** Maximum size of a saved file; larger ones, and too many of one run, are refused. */
export const MAX_KEPT_FILE_BYTES = 25 * 1024 * 1024
export const MAX_KEPT_FILES = 100

/** A file of an answer, saved with its run: it remains available after the platform's link expires. */
export const KeptFile = z.object({
  id: z.string(),
  /** The URL in the answer, as a browser writes it. */
  url: z.string(),
  name: z.string(),
  /** The media type reported by the platform; empty without one. */
  type: z.string(),
  bytes: z.number(),
  kept_at: z.string(),
  /** Null if the person is unknown. */
  person: z.string().nullable(),
})
export type KeptFile = z.output<typeof KeptFile>

/** Characters of a URL and of a file name. */
export const MAX_FILE_URL_CHARS = 4_096
export const MAX_FILE_NAME_CHARS = 255

export const keptFileEndpoints = {
  listKeptFiles: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/kept-files',
    key: 'none',
    permission: 'read',
    params: { run_id: Id },
    reply: z.object({ data: z.array(KeptFile), total: z.number() }),
    tags: ['kept_files'],
  }),
  /**
   * Loads a file that the stored answer names, and saves it until the run is deleted. A file that is already saved is
   * not changed.
   */
  keepFile: endpoint({
    method: 'POST',
    path: '/api/runs/:run_id/kept-files',
    key: 'none',
    permission: 'run',
    params: { run_id: Id },
    body: z.strictObject({
      url: z.string().min(1).max(MAX_FILE_URL_CHARS),
      name: z
        .string()
        .trim()
        .min(1)
        .max(MAX_FILE_NAME_CHARS)
        .regex(/^\P{Cc}+$/u, { error: 'must not contain control characters' }),
    }),
    reply: KeptFile,
    invalidates: ['kept_files'],
  }),
  deleteKeptFile: endpoint({
    method: 'DELETE',
    path: '/api/runs/:run_id/kept-files/:file_id',
    key: 'none',
    permission: 'run',
    params: { run_id: Id, file_id: Id },
    reply: z.object({ id: z.string() }),
    invalidates: ['kept_files'],
  }),
}
