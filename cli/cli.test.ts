import { expect, it } from 'vitest'
import { fileOf, setUpCli } from './cliProcess.testing.ts'
import type { Evaluation } from './reports/evaluation.ts'

const { testConsole, answers, run, write, read, listSuites } = setUpCli()

it('evaluates a file: 0 while its cases pass, 100 once a change breaks one, and JUnit names it', async () => {
  write('faq.suite.yaml', fileOf('FAQ'))
  const options = ['--tag', 'git.sha=4f2a', '--repeat', '2', '-o', 'json']
  const first = await run(['eval', 'faq.suite.yaml', '--app', 'the chat key', ...options]).ended
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('4 of 4 done, 0 failed')])
  const [evaluation] = JSON.parse(first.stdout) as Evaluation[]
  expect(evaluation).toMatchObject({
    suite: { name: 'FAQ', revision: 2 },
    experiment: { repetitions: 2, tags: { 'git.sha': '4f2a' } },
    app: 'the chat key',
    tokens: 40,
    prices: [{ currency: 'USD', total: '0.008' }],
    counts: { pass: 2, fail: 0 },
    gate: { fail_on: 'failures', held: true, reasons: [] },
  })
  expect(read('faq.suite.yaml')).toMatch(/revision: 2\n/)

  await testConsole.json('POST', `/api/experiments/${evaluation?.experiment.id}/approve`, { is_baseline: true })
  answers['Returns?'] = 'Within 14 days.'
  const reports = ['--junit', 'out.xml', '--json', 'out.json', '--markdown', 'out.md']
  const second = await run(['eval', 'faq.suite.yaml', '--against', 'approved', ...reports]).ended
  expect(second.code).toBe(100)
  expect(second.stdout).toContain(
    'FAQ: 1 of 2 passed. The gate failed: 1 case that passed in the baseline no longer does.',
  )
  expect(second.stdout).toContain('failed  Returns?: equals: The answer is “Within 14 days.”.')
  expect(read('out.xml')).toMatch(/<testcase classname="FAQ" name="Returns\?" time="[\d.]+">\s+<failure type="equals"/)
  expect(read('out.xml')).toContain('tests="2" failures="1" errors="0"')
  expect(read('out.md')).toContain('| [Returns?](')
  expect(JSON.parse(read('out.json'))).toMatchObject([{ gate: { held: false, reasons: [{ case_name: 'Returns?' }] } }])
  expect(await listSuites('FAQ')).toMatchObject([{ revision: 2, cases: 2 }])
})
