/** A text as one word of a POSIX shell: nothing in it is expanded, run or ends the word. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export interface CurlRequest {
  base_url: string
  path: string
  body: unknown
  streaming: boolean
}

/** The request as a command for a shell. The key is not in it: it is read from `$API_KEY`. */
export function curlOf({ base_url, path, body, streaming }: CurlRequest): string {
  return [
    `curl${streaming ? ' -N' : ''} -X POST ${quoted(`${base_url.replace(/\/+$/, '')}${path}`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}
