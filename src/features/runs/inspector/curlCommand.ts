import type { Turn } from '../turn.ts'
import { getRunPath } from '../runEntries.ts'

/** A text as one word of a POSIX shell: nothing in it is expanded, run or ends the word. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export interface CurlRequest {
  base_url: string
  /** POST, where it is not given. */
  method?: string
  path: string
  /** Undefined where the request has none, or where what was sent is not kept: a file. */
  body: unknown
  streaming: boolean
  /** The body was a form with a file, which stands in the command as `@FILE`. */
  file?: boolean
}

/** The request as a command for a shell. The key is not in it: it is read from `$API_KEY`. */
export function toCurlCommand({ base_url, method = 'POST', path, body, streaming, file = false }: CurlRequest): string {
  const hasBody = body !== undefined && body !== null
  return [
    `curl${streaming ? ' -N' : ''} -X ${method} ${quoteForShell(`${base_url.replace(/\/+$/, '')}${path}`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(file ? [`-F 'file=@FILE'`] : []),
    ...(file || !hasBody
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoteForShell(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

/** The request that began a run. */
export const toCurlRequest = ({ entry, question: { body, response_mode } }: Turn): Omit<CurlRequest, 'base_url'> => ({
  path: getRunPath(entry),
  body,
  streaming: response_mode === 'streaming',
})
