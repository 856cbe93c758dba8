import { ProblemError } from '#contract/problem.ts'
import { fetchJson } from '../../relay/upstream/fetchJson.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'

/** The JSON at a path of the platform; null where it does not offer that, or not now. */
export async function readPlatformJson(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  path: string,
  request_id: string,
): Promise<unknown> {
  try {
    return await fetchJson(upstream, credential, { path }, request_id)
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** So many items a page. */
const PAGE_SIZE = 100

/** The items of a list, up to a number of pages; null where it cannot be read. `isWhole` is false where there are more. */
export async function readPlatformList(
  readPage: (query: string) => Promise<unknown>,
  maxPages: number,
): Promise<{ items: Record<string, unknown>[]; isWhole: boolean; pages: number } | null> {
  const items: Record<string, unknown>[] = []
  for (let page = 1; page <= maxPages; page++) {
    const reply = (await readPage(`page=${page}&limit=${PAGE_SIZE}`)) as { data?: unknown; has_more?: unknown } | null
    if (!reply || !Array.isArray(reply.data)) return null
    items.push(...(reply.data as Record<string, unknown>[]).filter((item) => typeof item === 'object' && item !== null))
    if (reply.has_more !== true) return { items, isWhole: true, pages: page }
  }
  return { items, isWhole: false, pages: maxPages }
}
