/** A platform may send any text as its price; only numbers are added. PostgreSQL reads the pattern, too. */
export const PRICE_PATTERN = '^(-?)([0-9]{1,30})(?:[.]([0-9]{1,30}))?(?:[eE]([-+]?[0-9]{1,2}))?$'

/** A price without an exponent: `8E-7` becomes `0.0000008`. Null if the text is not a number. */
export function toPlainPrice(price: string): string | null {
  const match = new RegExp(PRICE_PATTERN).exec(price)
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const decimals = Math.max(0, fraction.length - Number(exponent))
  const digits = (whole + fraction).padEnd(whole.length + Number(exponent), '0')
  return sign + placePoint(digits.replace(/^0+/, ''), decimals)
}

/** The exact sum of two plain prices, with as many decimals as the longer one. */
export function addPlainPrices(one: string, other: string): string {
  const decimals = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const [units = 0n, otherUnits = 0n] = [one, other].map((text) => {
    const [integer = '', fraction = ''] = text.split('.')
    return BigInt(integer + fraction.padEnd(decimals, '0'))
  })
  const sum = units + otherUnits
  return `${sum < 0n ? '-' : ''}${placePoint(String(sum < 0n ? -sum : sum), decimals)}`
}

function placePoint(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0')
  const integer = padded.slice(0, padded.length - decimals)
  return decimals > 0 ? `${integer}.${padded.slice(-decimals)}` : integer
}
