import { UnreadableFileError } from '../documentReading/unreadableFile.ts'

/** The supported encodings, by their names in the WHATWG Encoding Standard. */
export const TEXT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'koi8-r',
] as const
export type TextEncoding = (typeof TEXT_ENCODINGS)[number]

export interface DecodedText {
  text: string
  encoding: TextEncoding
  /** Characters that could not be decoded; each is U+FFFD in the text. */
  unreadable: number
}

/**
 * The text of a file in the chosen encoding. Otherwise, in this order: byte order mark, declaration of HTML or XML,
 * UTF-8, UTF-16, the most likely other one.
 * @throws UnreadableFileError
 */
export async function decodeText(
  bytes: Uint8Array,
  { encoding: chosen = null, isMarkup = false }: { encoding?: TextEncoding | null; isMarkup?: boolean } = {},
): Promise<DecodedText> {
  const encoding =
    chosen ?? findByteOrderMark(bytes) ?? (isMarkup ? findDeclaredEncoding(bytes) : null) ?? (await findEncoding(bytes))
  const text = new TextDecoder(encoding).decode(bytes)
  return { text, encoding, unreadable: isDecodable(bytes, encoding) ? 0 : countReplaced(text) }
}

async function findEncoding(bytes: Uint8Array): Promise<TextEncoding> {
  const utf16 = hasControlBytes(bytes) ? findUtf16(bytes) : null
  if (utf16) return utf16
  if (bytes.includes(0)) throw new UnreadableFileError('unsupported', 'The file is not text.')
  return isMostlyUtf8(bytes) ? 'utf-8' : guessEncoding(bytes)
}

const countReplaced = (text: string): number => text.split('\uFFFD').length - 1

function isDecodable(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function findByteOrderMark([first, second, third]: Uint8Array): TextEncoding | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null
}

const DECLARATION_BYTES = 4096
const DECLARATION =
  /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})|<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i

/** The encoding declared in markup, if its bytes allow it. A declaration in ASCII rules out UTF-16. */
function findDeclaredEncoding(bytes: Uint8Array): TextEncoding | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES)).replace(/<!--[\s\S]*?-->/g, '')
  const [, xml, meta] = DECLARATION.exec(head) ?? []
  const label = xml ?? meta
  if (!label) return null
  try {
    const { encoding } = new TextDecoder(label)
    const name = encoding === 'gbk' ? 'gb18030' : encoding.startsWith('utf-16') ? 'utf-8' : encoding
    return isDecodable(bytes, name) ? (name as TextEncoding) : null
  } catch {
    return null
  }
}

/** Text has no control characters but tab, line ends, form feed, end of file and escape; UTF-16 contains such bytes. */
const hasControlBytes = (bytes: Uint8Array): boolean =>
  bytes.some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1a && byte !== 0x1b)

const SAMPLE_BYTES = 64 * 1024
/** Latin, Greek, Cyrillic, Hebrew, Arabic, Indic and Thai letters, punctuation, kana, Hangul, Chinese characters, wide forms. */
const USUAL_CHARACTER =
  /[\t\n\f\r -~\u00A0-\u024F\u0370-\u06FF\u0904-\u0E7F\u1E00-\u1EFF\u2010-\u2044\u20AC\u2190-\u25FF\u3000-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3\uFF00-\uFFEF\u{1F300}-\u{1FAFF}]/gu
const MIN_USUAL_SHARE = 0.95

/** In the wrong byte order, and in a binary file, characters are from many scripts or none; ASCII becomes ideographs. */
function findUtf16(bytes: Uint8Array): TextEncoding | null {
  if (bytes.length % 2 === 1) return null
  const [first, second] = (['utf-16le', 'utf-16be'] as const).map((encoding) => {
    const text = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE_BYTES))
    const getShare = (characters: RegExp) => (text.match(characters)?.length ?? 0) / text.length
    const usual = getShare(USUAL_CHARACTER)
    return { encoding, usual, rank: usual + getShare(/[\t-\u024F]/g) }
  })
  const best = second && first && second.rank > first.rank ? second : first
  return best && best.usual >= MIN_USUAL_SHARE ? best.encoding : null
}

/** Invalid UTF-8 bytes count as errors of the file if ten times as many characters are valid. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isDecodable(bytes, 'utf-8')) return true
  const text = new TextDecoder('utf-8').decode(bytes)
  const characters = text.match(/[^\0-\x7F]/gu)?.length ?? 0
  return countReplaced(text) * 10 <= characters
}

/** Two non-ASCII letters outside a word, or Katakana of Shift_JIS: such text may be in any language. */
const BEYOND_WESTERN = /(?<![A-Za-z])[^\0-\x7F]{2}|[^\0-\x7F]{2}(?![A-Za-z])|[\x81\u0192]/
const USUAL_ENCODINGS = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'windows-1252']
/** In Latin letters, runs of more than three non-ASCII letters are rare. */
const ALPHABET_WORD = /[À-ÿ]{3}/
const ALPHABETS = ['windows-1251', 'windows-1253', 'windows-1255', 'windows-1256', 'koi8-r']

/** The detector's most likely encoding; it mistakes single letters of Western Europe for others. */
async function guessEncoding(bytes: Uint8Array): Promise<TextEncoding> {
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1)
  const sample = bytes.subarray(start, start + SAMPLE_BYTES)
  const western = new TextDecoder('windows-1252').decode(sample)
  if (!BEYOND_WESTERN.test(western)) return 'windows-1252'
  const { detect } = await import('jschardet')
  const detectEncodings = [...USUAL_ENCODINGS, ...(ALPHABET_WORD.test(western) ? ALPHABETS : [])]
  const { encoding } = detect(sample, { detectEncodings, minimumThreshold: 0 })
  return TEXT_ENCODINGS.find((name) => name === encoding?.toLowerCase()) ?? 'windows-1252'
}
