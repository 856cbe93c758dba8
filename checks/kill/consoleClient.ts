import type { Frame } from '#contract/console/runs.ts'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { fillTestFolder } from '../../server/db/embedded/folder.testing.ts'

/** Calls the console as a script does. @throws Error if it refuses. */
export type SendRequest = <T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<T>

/** A Loupe that does not begin with the making of its database, which takes seconds: the first start is no matter here. */
export async function createPreparedLoupe(env: Record<string, string> = {}): Promise<LoupeProcess> {
  const loupe = new LoupeProcess(env)
  if (!env.DATABASE_URL) await fillTestFolder(loupe.folder)
  return loupe
}

/** The same for replies of any kind. */
export type SendRaw = (...request: Parameters<SendRequest>) => Promise<Response>

/** Signs a script in; the session outlives every kill. */
export async function signIn(
  loupe: Pick<LoupeProcess, 'url'>,
): Promise<{ cookie: string; send: SendRequest; sendRaw: SendRaw }> {
  const session = await fetchConsole(loupe, '', 'POST', '/api/session', { token: SETUP_TOKEN })
  const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const sendRaw: SendRaw = async (method, path, body, headers) => {
    const response = await fetchConsole(loupe, cookie, method, path, body, headers)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    cookie,
    sendRaw,
    send: async <T>(...request: Parameters<SendRequest>) => JSON.parse(await (await sendRaw(...request)).text()) as T,
  }
}

function fetchConsole(
  loupe: Pick<LoupeProcess, 'url'>,
  cookie: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(loupe.url + path, {
    method,
    headers: { cookie, 'x-console': '1', ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

/** The stored frames of a run, in pages. */
export async function readAllFrames(send: SendRequest, run_id: string): Promise<Frame[]> {
  const frames: Frame[] = []
  for (;;) {
    const after = frames.at(-1)?.seq ?? 0
    const { data } = await send<{ data: Frame[] }>('GET', `/api/runs/${run_id}/frames?after=${after}&limit=500`)
    if (data.length === 0) return frames
    frames.push(...data)
  }
}

/** A workspace of that platform with a key of each kind that makes runs. @returns the keys' ids. */
export const addAppKeys = (send: SendRequest, base_url: string) =>
  addKeys(send, base_url, ['chat', 'completion', 'workflow'])

/** A workspace of that platform with a key of each kind. @returns the keys' ids. */
export async function addKeys<Kind extends string>(
  send: SendRequest,
  base_url: string,
  kinds: readonly Kind[],
): Promise<Record<Kind, string>> {
  const { id } = await send<{ id: string }>('POST', '/api/workspaces', { name: 'Scripted', base_url })
  const keys: [Kind, string][] = []
  for (const kind of kinds) {
    const path = `/api/workspaces/${id}/keys`
    keys.push([kind, (await send<{ id: string }>('POST', path, { kind, label: kind, key: `app-${kind}` })).id])
  }
  return Object.fromEntries(keys) as Record<Kind, string>
}
