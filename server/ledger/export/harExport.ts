import { describePath, isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import type { Vault } from '../../vault/vault.ts'
import type { CallRow } from '../callRow.ts'
import type { Ledger } from '../ledger.ts'

interface HarSources {
  ledger: Pick<Ledger, 'readFramePages'>
  vault: Pick<Vault, 'listWorkspaces'>
  version: string
}

/** Maximum frames in memory, and their bytes. */
const MAX_FRAMES_PER_READ = 1_000
const MAX_BYTES_PER_READ = 1024 * 1024

/**
 * Calls as an HTTP archive (HAR 1.2). A stream is the text of its reply, block after block. Headers and the files of
 * forms are not stored, so they are missing.
 */
export async function* writeHar(
  rows: AsyncGenerator<CallRow>,
  { ledger, vault, version }: HarSources,
): AsyncGenerator<string> {
  const bases = new Map((await vault.listWorkspaces()).map(({ id, base_url }) => [id, base_url]))
  yield `{"log":{"version":"1.2","creator":{"name":"Loupe","version":${JSON.stringify(version)}},"entries":[`
  let comma = ''
  for await (const row of rows) {
    yield `${comma}\n${toHarEntryHead(row, bases.get(row.workspace_id))}`
    yield* readContent(row, ledger)
    yield HAR_ENTRY_TAIL
    comma = ','
  }
  yield '\n]}}\n'
}

function toHarEntryHead(row: CallRow, base_url = 'https://platform.invalid/v1'): string {
  const entry = platformEntries.get(row.entry)
  const path = entry ? describePath(entry.path, row.params) : ''
  const streams = row.frames > 0
  const request = {
    method: entry?.method ?? 'POST',
    url: `${base_url.replace(/\/+$/, '')}${path}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    queryString: [],
    headersSize: -1,
    bodySize: -1,
    ...(row.request != null
      ? { postData: { mimeType: 'application/json', text: JSON.stringify(row.request) } }
      : isForm(entry?.body)
        ? { comment: 'The form and its file are not stored.' }
        : {}),
  }
  const response = {
    status: row.http_status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    redirectURL: '',
    headersSize: -1,
    bodySize: streams ? Number(row.bytes) : -1,
  }
  const content = {
    size: streams ? Number(row.bytes) : -1,
    mimeType: streams ? 'text/event-stream' : 'application/json',
  }
  const head = {
    startedDateTime: row.created_at.toISOString(),
    time: row.duration_ms ?? 0,
    comment: `${row.entry} ${row.status}${row.problem ? `: ${row.problem.message}` : ''}`,
    cache: {},
    timings: toHarTimings(row),
    request,
    response: { ...response, content: { ...content, text: '' } },
  }
  // The text of the reply, the last value of all, is written piece by piece.
  return JSON.stringify(head).slice(0, -HAR_ENTRY_TAIL.length)
}
const HAR_ENTRY_TAIL = '"}}}'

async function* readContent(row: CallRow, ledger: HarSources['ledger']): AsyncGenerator<string> {
  if (row.frames === 0) {
    const replyBody = row.reply ?? row.problem?.upstream?.body
    if (replyBody != null) yield toJsonStringBody(typeof replyBody === 'string' ? replyBody : JSON.stringify(replyBody))
    return
  }
  for await (const frames of ledger.readFramePages(row.id, MAX_FRAMES_PER_READ, MAX_BYTES_PER_READ))
    yield toJsonStringBody(frames.map(({ block }) => `${block}\n\n`).join(''))
}

/** A text escaped for a JSON string, without the quotes. */
const toJsonStringBody = (text: string): string => JSON.stringify(text).slice(1, -1)

function toHarTimings({ first_frame_ms, duration_ms }: CallRow) {
  const wait = first_frame_ms ?? duration_ms ?? 0
  return { send: 0, wait, receive: Math.max(0, (duration_ms ?? wait) - wait) }
}
