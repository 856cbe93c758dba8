import { setTimeout as wait } from 'node:timers/promises'
import type { Frame } from '#contract/console/runs.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { LoupeProcess, SETUP_TOKEN } from '#support/loupeProcess.ts'
import { fillTestFolder } from '../../server/db/embedded/folder.testing.ts'

/** How often a Loupe is killed, what its server is started with, and what is called with the result of each kill. */
export interface KillOptions<Cycle> {
  cycles: number
  env?: Record<string, string>
  onCycle?: (cycle: Cycle) => void
}

/** Sends JSON and gives the JSON of the reply, null for none. @throws Error for every status but 2xx */
export type SendRequest = <T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<T>
/** The same for replies of any kind. */
export type SendRaw = (...request: Parameters<SendRequest>) => Promise<Response>

/** `request` gives refusals too. */
export function createSender(base: string, shared: Record<string, string>) {
  const request: SendRaw = (method, path, body, headers = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(base + path, {
      method,
      headers: { ...shared, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const sendRaw: SendRaw = async (...sent) => {
    const response = await request(...sent)
    if (!response.ok) throw new Error(`${sent[0]} ${sent[1]}: ${response.status} ${await response.text()}`)
    return response
  }
  const send: SendRequest = async <T>(...sent: Parameters<SendRequest>) => {
    const text = await (await sendRaw(...sent)).text()
    return (text === '' ? null : JSON.parse(text)) as T
  }
  return { request, sendRaw, send }
}

/** Calls the platform of a Loupe itself. */
export const openPlatform = ({ platform }: Pick<LoupeProcess, 'platform'>, key: string): SendRequest =>
  createSender(platform, { authorization: `Bearer ${key}` }).send

/** Signs a script in; the session outlives every kill. */
export async function signIn({ url }: Pick<LoupeProcess, 'url'>, token = SETUP_TOKEN) {
  const headers = { 'x-console': '1' }
  const session = await createSender(url, headers).sendRaw('POST', '/api/session', { token })
  const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { cookie, ...createSender(url, { ...headers, cookie }) }
}

/** A Loupe that does not begin with the making of its database, which takes seconds: the first start is no matter here. */
export async function createPreparedLoupe(env: Record<string, string> = {}): Promise<LoupeProcess> {
  const loupe = new LoupeProcess(env)
  if (!env.DATABASE_URL) await fillTestFolder(loupe.folder)
  return loupe
}

export interface ScriptedConsole {
  platform: ScriptedPlatform
  loupe: LoupeProcess
  cookie: string
  send: SendRequest
  /** Ids of the keys of the platform, by their kinds. */
  keys: Record<AppKind, string>
}

/** Starts a Loupe with a scripted platform in place of the built-in one, signs in to it, and removes both at the end. */
export async function withScriptedConsole<Result>(
  env: Record<string, string>,
  use: (started: ScriptedConsole) => Promise<Result>,
): Promise<Result> {
  const platform = await ScriptedPlatform.start()
  const loupe = await createPreparedLoupe({ PLATFORM: 'off', ...env })
  try {
    await loupe.start()
    const { cookie, send } = await signIn(loupe)
    return await use({ platform, loupe, cookie, send, keys: await addAppKeys(send, platform.url) })
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

/** Reads again and again until it is as awaited, or the time is over. @returns what was read last */
export async function pollUntil<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  { intervalMs = 50, timeoutMs = 120_000 } = {},
): Promise<Value> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (isDone(value) || performance.now() > deadline) return value
    await wait(intervalMs)
  }
}

/** The items of all pages of a list. */
export async function readPages<Item>(send: SendRequest, path: string): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page++) {
    const { data, has_more } = await send<{ data: Item[]; has_more: boolean }>('GET', `${path}?limit=100&page=${page}`)
    all.push(...data)
    if (!has_more) return all
  }
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

const APP_KINDS = ['chat', 'completion', 'workflow'] as const
export type AppKind = (typeof APP_KINDS)[number]

/** A workspace of that platform with a key of each kind that makes runs. @returns the keys' ids. */
export const addAppKeys = (send: SendRequest, base_url: string): Promise<Record<AppKind, string>> =>
  addKeys(send, base_url, APP_KINDS)

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
