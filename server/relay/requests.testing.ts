import type { z } from 'zod'
import { type Endpoint, acceptsKeyKind, isForm } from '#contract/endpoint.ts'
import { makeMinimalValue } from '#contract/samples.testing.ts'
import type { TestConsole } from '../app.testing.ts'

export const TEST_ID = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'

interface TestRequest {
  path: string
  body?: string | Record<string, unknown>
  headers?: Record<string, string>
}

/** A request that is valid for an entry as far as names and kinds determine. */
export function toTestRequest(entry: Endpoint, keys: TestConsole['keys']): TestRequest {
  const path = toRelayPath(entry, keys[getKeyKind(entry)])
  if (isForm(entry.body))
    return { path, body: FORM_BODY, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
  return entry.body ? { path, body: toTestBody(entry) } : { path }
}

export const toRelayPath = ({ path }: Endpoint, key: string) =>
  `/api/keys/${key}${path.replace(':action', 'enable').replace(/:\w+/g, TEST_ID)}`

export function getKeyKind({ path, key }: Endpoint) {
  if (path.startsWith('/workflows')) return 'workflow'
  if (path.startsWith('/completion')) return 'completion'
  return (['knowledge', 'chat', 'completion', 'workflow'] as const).find((one) => acceptsKeyKind(one, key)) ?? 'chat'
}

const FORM_BODY = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n'
const BODY_VALUES: Record<string, unknown> = {
  query: 'q', user: 'u', inputs: { a: 'b' }, name: 'n', text: 't', content: 'c', question: 'q', answer: 'a', score_threshold: 0.5,
  rating: 'like', auto_generate: false, response_mode: 'streaming', segment: { content: 'c' }, segments: [{ content: 'c' }],
  document_ids: [TEST_ID], message: 'm', indexing_technique: 'economy', process_rule: { mode: 'automatic' },
} // prettier-ignore
const toTestBody = ({ body }: Endpoint) => {
  const shape = (body as { shape?: Record<string, unknown> } | undefined)?.shape ?? {}
  const required = makeMinimalValue(body as z.ZodType) as Record<string, unknown>
  return { ...required, ...Object.fromEntries(Object.entries(BODY_VALUES).filter(([name]) => name in shape)) }
}
