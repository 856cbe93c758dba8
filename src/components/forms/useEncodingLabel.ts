import type { TextEncoding } from '#domain/text/decodeText.ts'
import { useMessages } from '../i18n/useMessages.ts'

/** The name of an encoding with its languages; an unknown one keeps its name. */
export function useEncodingLabel(): (encoding: string) => string {
  const t = useMessages(encodingMessages)
  return (encoding) => (encoding in encodingMessages ? t(encoding as TextEncoding) : encoding)
}

export const encodingMessages = {
  encoding: 'Encoding',
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'Chinese, simplified (GB18030, GBK)',
  big5: 'Chinese, traditional (Big5)',
  shift_jis: 'Japanese (Shift_JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'euc-kr': 'Korean (EUC-KR)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'koi8-r': 'Cyrillic (KOI8-R)',
}
