import { type LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'

/** Sends a request to the console as a person who is signed in. @throws Error for every status but 2xx. */
export type SendRequest = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>

export async function signIn(loupe: LoupeProcess): Promise<SendRequest> {
  let cookie = ''
  const send: SendRequest = async (method, path, body, headers = {}) => {
    const response = await fetch(loupe.url + path, {
      method,
      headers: { cookie, 'x-console': '1', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const session = await send('POST', '/api/session', { token: SETUP_TOKEN })
  cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return send
}
