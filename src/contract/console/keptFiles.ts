import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'

/** A file of a run that the console keeps. Larger ones, and more of one run, are refused. */
export const MAX_KEPT_FILE_BYTES = 25 * 1024 * 1024
export const MAX_KEPT_FILES = 100

/** A file that an answer links to, kept with its run: it is there after the platform's link has expired. */
export const KeptFile = z.object({
  id: z.string(),
  /** The URL that the answer names, as a browser writes it. */
  url: z.string(),
  name: z.string(),
  /** The media type that the platform named; empty if it named none. */
  type: z.string(),
  bytes: z.number(),
  kept_at: z.string(),
  /** Who kept it; null if the person is unknown. */
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
  /** Loads a file that the stored answer names, and keeps it until the run is deleted. A file that is kept already stays as it is. */
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
