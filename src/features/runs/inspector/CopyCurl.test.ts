import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCurlCommand } from './CopyCurl.tsx'

/** What a shell hands to curl. */
function parseArguments(command: string): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${command}`
  const printed = execFileSync('/bin/sh', ['-c', script], { env: { API_KEY: 'app-1', PATH: '' }, encoding: 'utf8' })
  return printed.split('\0').slice(0, -1)
}
const request = { base_url: 'https://p.example/v1/', path: '/chat-messages', body: { query: 'x' }, streaming: true }

test('the command sends what was sent, with the key from the environment', () => {
  expect(parseArguments(toCurlCommand(request))).toEqual([
    '-N',
    '-X',
    'POST',
    '--url',
    'https://p.example/v1/chat-messages',
    '-H',
    'Authorization: Bearer app-1',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    '{"query":"x"}',
  ])
  expect(toCurlCommand(request)).toContain('$API_KEY')
  expect(parseArguments(toCurlCommand({ ...request, streaming: false }))[0]).toBe('-X')
})

test('a call without a body sends none, and a file that is not kept is named', () => {
  const call = { ...request, method: 'DELETE', path: '/datasets/d', body: null, streaming: false }
  expect(parseArguments(toCurlCommand(call))).toEqual([
    '-X',
    'DELETE',
    '--url',
    'https://p.example/v1/datasets/d',
    '-H',
    'Authorization: Bearer app-1',
  ])
  expect(parseArguments(toCurlCommand({ ...call, method: 'POST', file: true })).slice(-2)).toEqual(['-F', 'file=@FILE'])
})

const hostile = [
  "it's",
  "'; touch /tmp/hacked; '",
  '$(id) `id` $API_KEY ${IFS}',
  '@/etc/passwd',
  '\\',
  "\\'",
  '!! !$ #',
  'line\nbreak\r\n\ttab',
  '\u0000\u001b[2J\u202e',
  '"quotes" & | > < * ? ~ {a,b}',
  '漢字 😀',
]

test('nothing that a person or a platform wrote is read by the shell', () => {
  const texts = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(texts, fc.constantFrom(...hostile.filter((one) => !one.includes('\u0000'))), (query, address) => {
      const args = parseArguments(
        toCurlCommand({ ...request, base_url: address, body: { query, inputs: { [query]: query } } }),
      )
      expect(args).toHaveLength(11)
      expect(args[4]).toBe(`${address.replace(/\/+$/, '')}/chat-messages`)
      expect(JSON.parse(args[10] ?? '')).toEqual({ query, inputs: { [query]: query } })
    }),
    { numRuns: 10, examples: hostile.map((text): [string, string] => [text, 'https://p.example']) },
  )
})
