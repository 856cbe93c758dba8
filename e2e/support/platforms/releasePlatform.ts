import { type PlatformScript, sendError } from './scriptedPlatform.ts'

/**
 * How a platform treats keys: as release 1.9.2 or 1.16.0-rc1 answered on the wire, with the 18 operations alone, or by
 * refusing every key.
 */
export type PlatformRelease = '1.9.2' | '1.16.0-rc1' | 'interface' | 'refusing'
export type AppMode = 'chat' | 'agent-chat' | 'advanced-chat' | 'workflow' | 'completion'

/** Keys that a release platform knows: the mode of an app, or `knowledge`. */
export const RELEASE_KEYS: Record<string, AppMode | 'knowledge'> = {
  'dataset-aaaaaaaaaaaaaaaaaaaaaaaa': 'knowledge',
  'app-chat-aaaaaaaaaaaaaaaaaaaa': 'chat',
  'app-chatflow-aaaaaaaaaaaaaaaa': 'advanced-chat',
  'app-workflow-aaaaaaaaaaaaaaaa': 'workflow',
  'app-completion-aaaaaaaaaaaaaa': 'completion',
}
export const getReleaseKey = (mode: AppMode | 'knowledge'): string =>
  Object.keys(RELEASE_KEYS).find((key) => RELEASE_KEYS[key] === mode) ?? ''

/** A dataset that the platform has; any other is unknown. */
export const KNOWN_DATASET_ID = 'a0000000-0000-4000-8000-000000000001'

type Reply = [status: number, body: unknown]
const toErrorReply = (status: number, code: string, message: string): Reply => [status, { code, message, status }]
const REFUSED = toErrorReply(401, 'unauthorized', 'Access token is invalid')
const WRONG_MODE = (code: string): Reply =>
  toErrorReply(400, code, 'Please check if your app mode matches the right API route.')
const toPage = (data: unknown[]): Reply => [200, { data, has_more: false, limit: 20, total: data.length, page: 1 }]
/** The router's page for a path that it does not know. */
const NO_ROUTE: Reply = [404, '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n']
const DATASET_NOT_FOUND = toErrorReply(404, 'not_found', 'Dataset not found.')
const NULL_RUN = Object.fromEntries(
  'id workflow_id status inputs outputs error total_steps total_tokens created_at finished_at elapsed_time'
    .split(' ')
    .map((name) => [name, null]),
)

/** The script of a platform of this release. Everything outside of what detection and capabilities ask is a 404. */
export function createReleaseScript(release: PlatformRelease): PlatformScript {
  return ({ method, path, headers }, response) => {
    const secret = String(headers.authorization).replace('Bearer ', '')
    const mode = release === 'refusing' ? undefined : RELEASE_KEYS[secret]
    const at = path.startsWith('/v1/') ? (path.slice(3).split('?')[0] ?? '') : ''
    const [status, body] = at === '' ? NO_ROUTE : answer(release, method, at, mode)
    const version: Record<string, string> = release.includes('.') ? { 'x-version': release } : {}
    if (typeof body !== 'string') return sendError(response, status, body, version)
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...version }).end(body)
  }
}

function answer(release: PlatformRelease, method: string, at: string, mode: AppMode | 'knowledge' | undefined): Reply {
  if (release === 'refusing') return REFUSED
  const isRelease = release.includes('.')
  const dataset_id = /^\/datasets\/([^/]+)/.exec(at)?.[1]
  // Released platforms look for the dataset before the key.
  if (dataset_id !== undefined && isRelease && dataset_id !== KNOWN_DATASET_ID) return DATASET_NOT_FOUND
  if (at.startsWith('/datasets')) {
    if (at === '/datasets' && !isRelease && method === 'GET') return NO_ROUTE
    if (mode !== 'knowledge') return REFUSED
    if (at === '/datasets') return toPage([{ id: KNOWN_DATASET_ID, name: 'A base', document_count: 0 }])
    return dataset_id === KNOWN_DATASET_ID ? toPage([]) : DATASET_NOT_FOUND
  }
  if (at.startsWith('/workspaces/')) return !isRelease ? NO_ROUTE : mode === 'knowledge' ? toPage([]) : REFUSED
  const known = APP_REPLIES.find(([pattern]) => pattern.test(at))
  if (!known || (known[2] && !isRelease)) return NO_ROUTE
  if (mode === undefined || mode === 'knowledge') return REFUSED
  return known[1](mode, release)
}

const isChat = (mode: AppMode): boolean => ['chat', 'agent-chat', 'advanced-chat'].includes(mode)
const ANNOTATIONS_BROKEN = toErrorReply(400, 'invalid_param', 'current_user must be an Account instance')

/** Replies to the key of an app, by path; the last part is true for what the 18 operations do not include. */
const APP_REPLIES: [path: RegExp, reply: (mode: AppMode, release: PlatformRelease) => Reply, isOptional: boolean][] = [
  [/^\/info$/, (mode) => [200, { name: `real ${mode}`, description: '', tags: [], mode, author_name: 'owner' }], true],
  [/^\/parameters$/, () => [200, { opening_statement: '', user_input_form: [] }], false],
  [/^\/conversations$/, (mode) => (isChat(mode) ? toPage([]) : WRONG_MODE('not_chat_app')), true],
  [/^\/workflows\/logs$/, () => toPage([]), true],
  [/^\/apps\/annotations$/, (_mode, release) => (release === '1.9.2' ? ANNOTATIONS_BROKEN : toPage([])), true],
  [
    /^\/workflows\/run\/[^/]+$/,
    (mode, release) => {
      if (mode !== 'workflow' && mode !== 'advanced-chat') return WRONG_MODE('not_workflow_app')
      return release === '1.9.2' ? [200, NULL_RUN] : toErrorReply(404, 'not_found', 'Workflow run not found.')
    },
    false,
  ],
  [
    /^\/chat-messages$/,
    (mode) =>
      isChat(mode)
        ? [200, { event: 'message', answer: 'Tea.', message_id: NIL_ID, conversation_id: NIL_ID }]
        : WRONG_MODE('not_chat_app'),
    false,
  ],
  [
    /^\/completion-messages$/,
    (mode) =>
      mode === 'completion'
        ? [200, { event: 'message', answer: 'Tea.', message_id: NIL_ID }]
        : toErrorReply(400, 'app_unavailable', 'App unavailable, please check your app configurations.'),
    false,
  ],
]
const NIL_ID = '00000000-0000-4000-8000-000000000001'
