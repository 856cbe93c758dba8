import type { APIRequestContext } from '@playwright/test'

/** The id of what was created, and of the document of a dataset's first text. */
export interface CreatedRecord {
  id: string
  document: { id: string }
}

/**
 * Sends JSON with the cookies of a browser context to paths under `baseUrl`, with the header that the console's server
 * requires of a page. The sender returns the parsed reply, or null for a stream, which it reads to its end. It throws
 * unless the status is 2xx.
 */
export function createJsonSender(
  request: APIRequestContext,
  baseUrl: string,
  sharedHeaders: Record<string, string> = {},
) {
  return async (path: string, data: unknown, headers: Record<string, string> = {}): Promise<CreatedRecord> => {
    const response = await request.post(baseUrl + path, {
      headers: { 'x-console': '1', ...sharedHeaders, ...headers },
      data,
      timeout: 120_000,
    })
    const text = await response.text()
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${text}`)
    const isJson = response.headers()['content-type']?.startsWith('application/json')
    return (isJson ? JSON.parse(text) : null) as CreatedRecord
  }
}
