import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { makeSession } from './session.testing.ts'

/**
 * Answers the requests of the tests of a file: an operator without workspaces is signed in unless handlers say otherwise.
 * What a test adds with `use` ends with it.
 */
export function serveApi(...handlers: Parameters<typeof setupServer>): ReturnType<typeof setupServer> {
  const server = setupServer(
    ...handlers,
    http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
    http.get('*/api/workspaces', () => HttpResponse.json(toPage([]))),
  )
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return server
}

/** The reply of a list, by pages and by cursor alike. */
export const toPage = <Row>(data: readonly Row[], total = data.length) => ({
  data,
  total,
  total_capped: false,
  page: 1,
  limit: 20,
  has_more: false,
  next: null,
})
