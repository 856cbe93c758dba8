import { expect, test } from 'vitest'
import { TestConsole } from '../app.testing.ts'
import { findCurrentUrl } from './staticFiles.ts'

const testConsole = TestConsole.forFile()

test.each([
  ['/api/things?kind=dataset&q=a%2Fb', '/api/resources?kind=dataset&q=a%2Fb'],
  ['/api/kept/1', '/api/saved-items/1'],
  ['/api/runs/1/settle', '/api/runs/1/reconcile'],
  ['/api/runs/1/family', '/api/runs/1/lineage'],
  ['/api/workspaces/1/keys/2/survey', '/api/workspaces/1/keys/2/probe'],
  ['/api/session/ways', '/api/session/methods'],
])('%s is %s', (retired, current) => {
  expect(findCurrentUrl(retired)).toBe(current)
})

test.each(['/api/runs', '/api/thingsandmore', '/things', '/api/annotations/alike/1', '//api/things'])(
  '%s is no retired path',
  (url) => {
    expect(findCurrentUrl(url)).toBeNull()
  },
)

test('a retired path is answered with 308 to the same query, and the current one answers', async () => {
  const response = await fetch(`${testConsole.url}/api/things?kind=dataset`, {
    headers: { cookie: testConsole.cookie },
    redirect: 'manual',
  })
  expect([response.status, response.headers.get('location')]).toEqual([308, '/api/resources?kind=dataset'])
  expect((await testConsole.fetch('GET', '/api/resources?kind=dataset')).status).toBe(200)
})
