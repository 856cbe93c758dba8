const ROMAN_DIGITS: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]
const MAX_WORDED_NUMBER = 9999

/** A number in the format of Word; in digits for formats that are not known. */
export function formatNumber(value: number, format: string): string {
  if (value < 1 || value > MAX_WORDED_NUMBER) return String(value)
  switch (format) {
    case 'lowerLetter':
      return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))
    case 'lowerRoman': {
      let left = value
      return ROMAN_DIGITS.map(([size, digit]) => {
        const count = Math.floor(left / size)
        left -= count * size
        return digit.repeat(count)
      }).join('')
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

function toChineseNumber(value: number): string {
  const digits = String(value).split('').map(Number)
  return digits
    .map((digit, at) =>
      digit === 0 ? '〇' : '〇一二三四五六七八九'.charAt(digit) + ['', '十', '百', '千'][digits.length - 1 - at],
    )
    .join('')
    .replace(/〇+/g, '〇')
    .replace(/(?<=.)〇$/, '')
    .replaceAll('〇', '零')
    .replace(/^一十/, '十')
}
