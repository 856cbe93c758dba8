import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileOf, setUpCli } from './cliProcess.testing.ts'
import type { Evaluation } from './reports/evaluation.ts'

const { testConsole, createToken, run, write, read, listSuites, getFolder, getToken } = setUpCli()

it('a command that is cut ends nothing: the experiment goes on, and --resume waits for it', async () => {
  write('slow.suite.yaml', fileOf('Slow'))
  const { child, output, ended } = run(['eval', 'slow.suite.yaml', '--app', 'the chat key'])
  const held: (() => void)[] = []
  const { script } = testConsole.platform
  testConsole.platform.script = (request, response) => void held.push(() => void script?.(request, response))
  await expect.poll(() => held.length).toBe(2)
  child.kill('SIGKILL')
  expect((await ended).code).toBeNull()
  const [, id = ''] = /--resume ([0-9a-f-]{36})/.exec(output.stderr) ?? []
  testConsole.platform.script = script
  for (const answer of held) answer()
  const resumed = await run(['eval', '--resume', id]).ended
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('Slow: 2 of 2 passed.')])
  expect(testConsole.platform.requests.filter(({ path }) => path.includes('chat-messages'))).toHaveLength(2)
  const { total } = await testConsole.json<{ total: number }>(
    'GET',
    `/api/suites/${(await listSuites('Slow'))[0]?.id}/experiments`,
  )
  expect(total).toBe(1)
})

it('evaluates several suites, all looked up before the first runs, and reports those that ended before a failure', async () => {
  write('one.suite.yaml', fileOf('One'))
  write('two.suite.yaml', fileOf('Two'))
  const app = ['--app', 'the chat key', '--junit', 'out.xml']
  const both = await run(['eval', 'one.suite.yaml', 'two.suite.yaml', ...app]).ended
  expect([both.code, read('out.xml').match(/<testsuite name="\w+"/g)]).toEqual([
    0,
    ['<testsuite name="One"', '<testsuite name="Two"'],
  ])
  testConsole.platform.requests.length = 0
  expect((await run(['eval', 'One', 'Three', ...app]).ended).code).toBe(2)
  expect(testConsole.platform.requests).toHaveLength(0)

  // The second can begin no experiment: it has no cases.
  const [two] = await listSuites('Two')
  for (const { id } of (await testConsole.json<{ data: { id: string }[] }>('GET', `/api/suites/${two?.id}/cases`)).data)
    await testConsole.json('DELETE', `/api/suites/${two?.id}/cases/${id}`)
  const broken = await run(['eval', 'One', 'Two', ...app]).ended
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('The suite has no cases yet.')])
  expect(broken.stdout).toContain('One: 2 of 2 passed.')
  expect(read('out.xml')).toContain('<testsuite name="One"')
})

it('pulls and pushes files, and overwrites no change of either side', async () => {
  write('ours.suite.yaml', fileOf('Ours'))
  const pushed = await run(['push', 'ours.suite.yaml', '--app', 'the chat key', '-o', 'json']).ended
  expect(JSON.parse(pushed.stdout)).toMatchObject([{ revision: 2, result: '2 added, 0 changed, 0 removed' }])
  expect((await run(['push', 'ours.suite.yaml']).ended).stdout).toContain('is up to date')
  const base = read('ours.suite.yaml')

  // Changed here: a pull would lose it.
  write('ours.suite.yaml', base.replace('Within 30 days.', 'Within 14 days.'))
  const refused = await run(['pull', 'ours.suite.yaml']).ended
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('has changes that the suite does not have'),
  ])
  expect((await run(['push', 'ours.suite.yaml']).ended).stdout).toContain('1 changed, 0 removed')
  const newer = read('ours.suite.yaml')
  expect(newer).toMatch(/revision: 3\n/)

  // Changed there: a push would lose it, and a pull brings it.
  const [suite] = await listSuites('Ours')
  await testConsole.json('POST', `/api/suites/${suite?.id}/cases`, { cases: [{ input: { query: 'Costs?' } }] })
  write('ours.suite.yaml', newer.replace('Within 14 days.', 'Within 7 days.'))
  const conflict = await run(['push', 'ours.suite.yaml']).ended
  expect([conflict.code, conflict.stderr]).toEqual([
    1,
    expect.stringContaining('the case “Costs?” is only in the suite'),
  ])
  expect(conflict.stderr).toContain('the case “Returns?” differs')
  expect((await run(['pull', 'ours.suite.yaml']).ended).stderr).toContain('The suite has changed, too')
  write('ours.suite.yaml', newer)
  expect((await run(['pull', 'ours.suite.yaml']).ended).stdout).toContain('overwritten')
  expect(read('ours.suite.yaml')).toContain('Costs?')
  expect((await run(['pull', 'Ours']).ended).stdout).toContain('ours.suite.yaml: is up to date')
})

it('looks at the paths of reports and at the baseline before anything runs', async () => {
  write('paths.suite.yaml', fileOf('Paths'))
  mkdirSync(join(getFolder(), 'folder.yaml'))
  const refuse = async (...args: string[]) => {
    const { code, stderr } = await run(args).ended
    expect(stderr).not.toContain('    at ')
    return [code, stderr.trim().split('\n').at(-1)]
  }
  const evaluate = ['eval', 'paths.suite.yaml', '--app', 'the chat key']
  expect(await refuse(...evaluate, '--junit', 'missing/out.xml')).toEqual([
    2,
    '--junit is missing/out.xml: there is no folder missing.',
  ])
  expect(await refuse(...evaluate, '--json', 'folder.yaml')).toEqual([2, '--json is folder.yaml, which is a folder.'])
  expect(await refuse('push', 'folder.yaml')).toEqual([1, 'folder.yaml cannot be read: EISDIR.'])
  const other = await run(['eval', 'paths.suite.yaml', '--app', 'the chat key', '-o', 'json']).ended
  const [{ experiment }] = JSON.parse(other.stdout) as [Evaluation]
  write('others.suite.yaml', fileOf('Others'))
  testConsole.platform.requests.length = 0
  expect(await refuse('eval', 'others.suite.yaml', '--app', 'the chat key', '--against', experiment.id)).toEqual([
    2,
    '--against names an experiment of another suite than “Others”.',
  ])
  expect(testConsole.platform.requests).toEqual([])
})

it('says by its exit code what kind of failure it was, and never says the token', async () => {
  write('x.suite.yaml', fileOf('X'))
  const end = async (args: readonly string[], env?: Record<string, string>) => {
    const { code, stdout, stderr } = await run(args, env).ended
    expect(stdout + stderr).not.toContain(env?.LOUPE_TOKEN ?? getToken())
    return [code, stderr]
  }
  const says = (code: number, text: string) => [code, expect.stringContaining(text)]
  expect(await end(['eval', 'gone.suite.yaml'])).toEqual(says(2, 'There is no file gone.suite.yaml'))
  expect(await end(['eval', 'No such suite'])).toEqual(says(2, 'No suite “No such suite”'))
  expect(await end(['eval', 'x.suite.yaml', '--app', 'nothing'])).toEqual(says(2, '“the chat key”'))
  expect(await end(['eval', 'x.suite.yaml'], { LOUPE_TOKEN: 'lpt_wrong' })).toEqual(says(4, 'You are not signed in.'))
  const viewer = await createToken('viewer')
  expect(await end(['eval', 'x.suite.yaml', '--app', 'the chat key'], { LOUPE_TOKEN: viewer })).toEqual(
    says(4, 'The role viewer does not allow this.'),
  )
  expect(await end(['eval', '--resume', testConsole.workspace])).toEqual(says(1, 'The experiment was not found.'))
})
