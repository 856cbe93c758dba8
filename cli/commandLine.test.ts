import { expect, it } from 'vitest'
import { CliError } from './cliError.ts'
import { createConsoleClient } from './consoleClient.ts'
import { parseCommandLine } from './commandLine.ts'
import { suiteEndpoints } from '#contract/console/suites.ts'

const ENV = { LOUPE_URL: 'https://loupe.example/', LOUPE_TOKEN: 'lpt_x' }
const ID = '0190b6a0-2222-7abc-8def-0123456789ab'
const refuse = (args: readonly string[], env: Record<string, string> = ENV) => {
  try {
    parseCommandLine(args, env)
  } catch (error) {
    return error instanceof CliError && error.exitCode === 2 ? error.message : error
  }
  return null
}

it('reads the options of an evaluation', () => {
  const options = ['--against', 'approved', '--repeat', '3', '--fail-on', 'failures']
  const tags = ['--tag', 'git.sha=a=b', '--tag', 'x=']
  expect(parseCommandLine(['eval', 'a.suite.yaml', ...options, ...tags], ENV)).toMatchObject({
    command: 'eval',
    sources: ['a.suite.yaml'],
    url: 'https://loupe.example',
    against: 'approved',
    repeat: 3,
    failOn: 'failures',
    tags: { 'git.sha': 'a=b', x: '' },
    output: 'text',
  })
  expect(parseCommandLine(['--help'], {})).toBe('help')
  expect(parseCommandLine([], {})).toBe('help')
  expect(parseCommandLine(['--version'], {})).toBe('version')
})

it('names the argument that is wrong, and what would be right', () => {
  expect(refuse(['evaluate', 'x'])).toBe('There is no command evaluate: it must be eval or pull or push.')
  expect(refuse(['eval'])).toContain('needs a file or a suite')
  expect(refuse(['eval', 'x', '--repeat', '0'])).toContain('--repeat must be a whole number from 1 to 10')
  expect(refuse(['eval', 'x', '--fail-on', 'all'])).toContain('it must be failures or regressions')
  expect(refuse(['eval', 'x', '--tag', 'sha'])).toContain('--tag must be KEY=VALUE')
  expect(refuse(['eval', 'x', '--against', 'main'])).toContain('must be approved or the id of an experiment')
  expect(refuse(['eval', 'x', '--resume', ID])).toContain('--resume is of eval alone')
  expect(refuse(['eval', 'x', '--colour'])).toContain('--colour')
  expect(refuse(['eval', 'x'], {})).toContain('--url or LOUPE_URL')
  expect(refuse(['eval', 'x'], { LOUPE_URL: ENV.LOUPE_URL })).toContain('--token or LOUPE_TOKEN')
  expect(refuse(['eval', 'x', '--token', 'a b'])).toContain('visible ASCII')
})

it('sends the token over https alone, but on this machine', () => {
  const url = (address: string) => refuse(['eval', 'x', '--url', address])
  for (const address of ['http://127.0.0.1:8787', 'http://localhost', 'http://[::1]:1', 'https://loupe.example'])
    expect(url(address)).toBeNull()
  for (const address of ['http://loupe.example', 'http://127.0.0.1.example', 'http://localhost.example'])
    expect(url(address)).toContain('unencrypted')
  expect(url('https://me:secret@loupe.example')).toContain('no password')
  expect(url('ftp://loupe.example')).toContain('as https://loupe.example')
})

it('waits for a server that is away or asks to wait, but sends nothing twice that would count twice', async () => {
  const waits: number[] = []
  let replies: (Response | Error)[] = []
  let sent = 0
  const send = () => {
    sent++
    const reply = replies.shift() ?? Response.json({ kind: 'invalid', message: 'No.', status: 400 }, { status: 400 })
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply)
  }
  const client = createConsoleClient(
    { url: 'https://loupe.example', token: 't' },
    { send, wait: (ms) => Promise.resolve(void waits.push(ms)), report: () => undefined },
  )
  const read = () => client.call(suiteEndpoints.readSuite, { params: { suite_id: ID } })
  const create = () =>
    client.call(suiteEndpoints.createSuite, { body: { workspace: ID, name: 'x', target: 'chat', about: ID } })
  replies = [
    new Error('reset'),
    new Response('', { status: 503 }),
    new Response('', { status: 429, headers: { 'retry-after': '7' } }),
  ]
  await expect(read()).rejects.toMatchObject({ message: 'No.', exitCode: 1 })
  expect(waits).toEqual([1_000, 2_000, 7_000])
  sent = 0
  replies = [new Error('reset')]
  await expect(create()).rejects.toThrow('cannot be reached')
  expect(sent).toBe(1)
  replies = Array.from({ length: 8 }, () => new Response('', { status: 429 }))
  await expect(read()).rejects.toMatchObject({ exitCode: 7 })
  replies = [Response.json({ hello: 'world' })]
  await expect(read()).rejects.toThrow('as no Loupe of this version does')
})
