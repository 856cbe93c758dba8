import { parseArgs } from 'node:util'

/** Asks a running console for a new master key: `npm run master:renew -- --base URL`, with SETUP_TOKEN in the environment. */
const { values } = parseArgs({ options: { base: { type: 'string', default: 'http://127.0.0.1:8787' } } })
const headers = { 'content-type': 'application/json', 'x-console': '1' }

const signedIn = await post('/api/session', { token: process.env.SETUP_TOKEN ?? '' })
const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
const { sealed } = (await (await post('/api/vault/renew', {}, cookie.join('; '))).json()) as { sealed: number }
console.log(`${sealed} keys are sealed with a new master key. The one before it is forgotten.`)

async function post(path: string, body: unknown, cookie = '') {
  const response = await fetch(values.base + path, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify(body),
  })
  if (response.ok) return response
  console.error(`${path}: ${response.status} ${((await response.json()) as { message?: string }).message ?? ''}`)
  process.exit(1)
}
