import { expect, it } from 'vitest'
import { addPlainPrices, toPlainPrice } from './price.ts'

it.each([
  ['8E-7', '0.0000008'],
  ['0E-7', '0.0000000'],
  ['1.25e-10', '0.000000000125'],
  ['-3.5E-3', '-0.0035'],
  ['1.5E+3', '1500'],
  ['1.2345e2', '123.45'],
  ['12', '12'],
  ['007.10', '7.10'],
  ['0', '0'],
])('%s is %s without an exponent', (price, plain) => expect(toPlainPrice(price)).toBe(plain))

it.each(['free', '', ' 1', '1,5', '.5', '1e', '1E400', 'NaN', '0x1', '1.2.3'])('%o is no price', (price) =>
  expect(toPlainPrice(price)).toBeNull(),
)

it.each([
  ['0.0000008', '0.1', '0.1000008'],
  ['-0.5', '0.25', '-0.25'],
  ['123456789012345678.000001', '1', '123456789012345679.000001'],
  ['9', '1', '10'],
])('%s and %s are %s', (one, other, sum) => expect(addPlainPrices(one, other)).toBe(sum))
