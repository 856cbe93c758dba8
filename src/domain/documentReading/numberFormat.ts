const ROMAN = { m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 }
const MAX_WORDED_NUMBER = 9999

/** A number in a number format of Word; in digits for unknown formats. */
export function formatNumber(value: number, format: string): string {
  if (value < 1 || value > MAX_WORDED_NUMBER) return String(value)
  switch (format) {
    case 'lowerLetter':
      return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))
    case 'lowerRoman': {
      let [text, rest] = ['', value]
      for (const [digit, size] of Object.entries(ROMAN)) for (; rest >= size; rest -= size) text += digit
      return text
    }
    case 'upperLetter':
    case 'upperRoman':
      return formatNumber(value, format.replace('upper', 'lower')).toUpperCase()
    case 'decimalZero':
      return String(value).padStart(2, '0')
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return value <= 20 ? String.fromCharCode(0x245f + value) : String(value)
    default:
      return /^(?:chinese|japanese|taiwanese|ideographDigital)/i.test(format) ? toChineseNumber(value) : String(value)
  }
}

const CHINESE_DIGITS = '零一二三四五六七八九'
const CHINESE_TENS = ['', '十', '百', '千']

function toChineseNumber(value: number): string {
  const digits = [...String(value)]
  return digits
    .map(
      (digit, at) => CHINESE_DIGITS.charAt(Number(digit)) + (digit === '0' ? '' : CHINESE_TENS[digits.length - 1 - at]),
    )
    .join('')
    .replace(/零+/g, '零')
    .replace(/零$/, '')
    .replace(/^一十/, '十')
}
