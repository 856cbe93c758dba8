import { expect, it } from 'vitest'
import { LosslessNumber, parseDecimal, parseLosslessJson } from './losslessJson.ts'

it.each([
  '9007199254740993',
  '-9007199254740993',
  '{"order":12345678901234567890,"list":[1,-98765432109876543210]}',
  '{"pi":3.14159265358979323846,"small":0.10000000000000000555}',
  '[1e400,-1e-400,1.7976931348623157e309]',
  '{"__proto__":{"id":9007199254740993}}',
  '\n9007199254740993',
])('keeps %s', (text) => expect(JSON.stringify(parseLosslessJson(text))).toBe(text.trim()))

it.each([
  '9007199254740992',
  '0.1',
  '0.30000000000000004',
  '1.0',
  '8E-7',
  '1e21',
  '-0',
  '5e-324',
  '1.50',
  '1E+2',
  '100e300',
])('reads %s as a number', (text) => expect(parseLosslessJson(text)).toBe(Number(text)))

it('reads texts, and what is no JSON, as JSON.parse does', () => {
  const text = '{"id":"9007199254740993","note":"n: 9007199254740993, 1e999"}'
  expect(parseLosslessJson(text)).toStrictEqual(JSON.parse(text))
  for (const bad of ['', '[9007199254740993', '[9007199254740993,]', '[00000000000000001]', '[1.2.3.4.5.6.7.8.9]'])
    expect(() => parseLosslessJson(bad)).toThrow(SyntaxError)
})

it('reads long and deep texts in bounded time', () => {
  for (const text of [
    '0'.repeat(200_000),
    `0.${'0'.repeat(200_000)}1`,
    `[${'1,'.repeat(200_000)}1]`,
    `[${'-'.repeat(200_000)}`,
  ])
    try {
      parseLosslessJson(text)
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError)
    }
  const depth = 50_000
  expect(parseLosslessJson(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`)).toBeInstanceOf(Array)
})

it.each([
  ['9007199254740993', '9007199254740993'],
  [' +12345678901234567890.50 ', '12345678901234567890.50'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['-007', '-7'],
  ['8E-7', '8e-7'],
  ['1e400', '1e400'],
  ['-.10000000000000000555', '-0.10000000000000000555'],
])('%s is the number %s', (text, json) => expect(JSON.stringify(parseDecimal(text))).toBe(json))

it.each(['', ' ', '.', '-', 'e5', '.e5', '0x10', '1,5', '1 000', 'Infinity', 'NaN', '١', '--1'])(
  '%o is no number',
  (text) => expect(parseDecimal(text)).toBeNull(),
)

it('is a text of its digits', () => expect(`${new LosslessNumber('1e400')}`).toBe('1e400'))
