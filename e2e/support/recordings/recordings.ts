import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SHARED_DATA } from '../requirements.ts'

/** Recordings of our own: one exchange for each kind of reply, refusal and end of a stream, by release. */
export const SAMPLE_RECORDINGS = join(import.meta.dirname, 'samples')
/** The recordings that are not part of the project. */
export const SHARED_RECORDINGS = join(SHARED_DATA, 'real-servers')

/** One exchange with a released platform: a line of a recording. `key` names the kind of the key, never its value. */
const RecordedExchange = z.object({
  name: z.string(),
  request: z.looseObject({
    method: z.string(),
    path: z.string(),
    key: z.string().nullable(),
    body: z.unknown().optional(),
  }),
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    /** The reader left on purpose. */
    cut: z.boolean().optional(),
    /** The server broke the stream off. */
    aborted: z.boolean().optional(),
  }),
  /** Of a stream: the arrival time of each piece in ms, and its size in bytes. */
  pieces: z.array(z.tuple([z.number(), z.number()])).optional(),
})
export type RecordedExchange = z.output<typeof RecordedExchange>

export interface Recording {
  /** The file without `.jsonl`, `dify-1.9`. */
  name: string
  exchanges: RecordedExchange[]
}

/** Reads every `*.jsonl` of a folder. @throws Error that names the file and line which is no exchange. */
export function readRecordings(folder: string): Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.jsonl$/, ''),
      exchanges: readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line === '' ? [] : [parseExchange(line, `${file}:${index + 1}`)])),
    }))
}

/** The recordings of `../shared`; none where they are not, so that tests which read them can be skipped. */
export const readSharedRecordings = (): Recording[] =>
  existsSync(SHARED_RECORDINGS) ? readRecordings(SHARED_RECORDINGS) : []

function parseExchange(line: string, at: string): RecordedExchange {
  try {
    return RecordedExchange.parse(JSON.parse(line))
  } catch (error) {
    throw new Error(`${at} is no recorded exchange: ${String(error)}`, { cause: error })
  }
}

export const getContentType = ({ response }: RecordedExchange): string => response.headers['content-type'] ?? ''
export const isStream = (exchange: RecordedExchange): boolean =>
  getContentType(exchange).startsWith('text/event-stream')
export const isRefusal = ({ response }: RecordedExchange): boolean => response.status >= 300

/** The bytes of a stream, in the pieces in which they arrived. */
export function toPieces({ name, response, pieces = [] }: RecordedExchange): Buffer[] {
  const bytes = Buffer.from(response.body)
  let start = 0
  const cut = pieces.map(([, size]) => bytes.subarray(start, (start += size)))
  if (start !== bytes.length) throw new Error(`The pieces of “${name}” are ${start} bytes, its body ${bytes.length}.`)
  return cut
}

/** A recorded request as an operation, without the ids of the recording: `GET /datasets/:id/documents`. */
export const toOperation = ({ method, path }: RecordedExchange['request']): string =>
  `${method} ${(path.split('?')[0] ?? '')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id')
    .replace(/\/\d{20}(?=\/|$)/g, '/:batch')
    .replace(/\/[A-Za-z0-9]{22}$/, '/:token')}`
