import type { Turn } from '../turn.ts'
import { getRunPath } from '../runEntries.ts'

/** Quotes a text for a POSIX shell: nothing in it is expanded or executed. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export interface CurlRequest {
  base_url: string
  /** Default: POST. */
  method?: string
  path: string
  /** Undefined without a body, or if it is not stored: a file. */
  body: unknown
  streaming: boolean
  /** The body was a form with a file, which becomes `@FILE` in the command. */
  file?: boolean
}

/** The request as a shell command. It reads the key from `$API_KEY`. */
export function toCurlCommand({ base_url, method = 'POST', path, body, streaming, file = false }: CurlRequest): string {
  const hasBody = body !== undefined && body !== null
  return [
    `curl${streaming ? ' -N' : ''} -X ${method} --url ${quoteForShell(`${base_url.replace(/\/+$/, '')}${path}`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(file ? [`-F 'file=@FILE'`] : []),
    ...(file || !hasBody
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoteForShell(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

/** The request that started a run. */
export const toCurlRequest = ({
  entry,
  question: { body, response_mode, pinned_workflow_id },
}: Turn): Omit<CurlRequest, 'base_url'> => ({
  path: getRunPath(entry, pinned_workflow_id),
  body,
  streaming: response_mode === 'streaming',
})
