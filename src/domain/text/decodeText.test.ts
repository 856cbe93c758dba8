import { expect, it } from 'vitest'
import { UnreadableFileError } from '../documentReading/unreadableFile.ts'
import { decodeText, type TextEncoding } from './decodeText.ts'

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const fromLatin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const toUtf16 = (text: string, isLittleEndian = true): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittleEndian)
  return new Uint8Array(view.buffer)
}

it.each<[TextEncoding, string, Uint8Array]>([
  ['utf-8', '名称', fromLatin('\xef\xbb\xbf\xe5\x90\x8d\xe7\xa7\xb0')],
  ['utf-16be', 'name', toUtf16('\uFEFFname', false)],
  ['utf-16le', 'Leave policy', toUtf16('Leave policy')],
  ['utf-16be', 'Leave policy', toUtf16('Leave policy', false)],
  ['utf-16le', '假期政策。休假', toUtf16('假期政策。休假')],
  ['utf-16be', 'Größe: 5', toUtf16('Größe: 5', false)],
  ['gb18030', '请假须提前三天申请。', fromHex('c7ebbcd9d0ebcce1c7b0c8fdccecc9eac7eba1a3')],
  ['big5', '請假須在三天前申請。', fromHex('bdd0b0b2b6b7a662a454a4d1ab65a5d3bdd0a143')],
  [
    'shift_jis',
    '質問,回答\n返品できますか,はい',
    fromHex('8ebf96e22c89f1939a0a95d4956982c582ab82dc82b782a92c82cd82a2'),
  ],
  ['euc-jp', '返品できますか', fromHex('cad6c9caa4c7a4ada4dea4b9a4ab')],
  ['euc-kr', '휴가는 언제 신청하나요', fromHex('c8deb0a1b4c220bef0c1a620bdc5c3bbc7cfb3aabfe4')],
  ['windows-1251', 'Заявление за три дня', fromHex('c7e0ffe2ebe5ede8e520e7e020f2f0e820e4edff')],
  ['windows-1252', 'Größe;80 €', fromLatin('Gr\xf6\xdfe;80 \x80')],
  ['windows-1252', 'München, What’s “that”?', fromLatin('M\xfcnchen, What\x92s \x93that\x94?')],
  ['windows-1252', 'INSERÇÃO', fromLatin('INSER\xc7\xc3O')],
  ['windows-1252', 'caf\xe9', fromLatin('caf\xe9')],
])('reads %s without a declaration: %s', async (encoding, text, bytes) => {
  expect(await decodeText(bytes)).toMatchObject({ encoding, text, unreadable: 0 })
})

it.each<[TextEncoding, string]>([
  ['gb18030', '<head><meta charset=gb2312><title>\xc1\xaa\xcd\xa8'],
  ['shift_jis', '<?xml version="1.0" encoding="Shift_JIS"?><p>\x93\xfa'],
  ['windows-1252', '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>\xe4\xb8\xad'],
  ['utf-8', '<meta charset="utf-16"><p>\xe4\xb8\xad'],
  ['utf-8', '<!-- <meta charset="gbk"> --><meta charset="no-such-set"><p>\xe4\xb8\xad'],
  ['windows-1252', '<meta charset="utf-8"><p>caf\xe9'],
])('reads %s as the markup declares, where its bytes can be that: %s', async (encoding, markup) => {
  expect((await decodeText(fromLatin(markup), { isMarkup: true })).encoding).toBe(encoding)
})

it('keeps UTF-8 with a stray byte, counts what is unreadable, and follows the choice of a person', async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('Grüße aus 京都: ähnlich, größer, süß'), 0xff])
  expect(await decodeText(bytes)).toMatchObject({ encoding: 'utf-8', unreadable: 1 })
  const chosen = await decodeText(fromLatin('caf\xe9'), { encoding: 'windows-1251' })
  expect(chosen).toEqual({ text: 'cafй', encoding: 'windows-1251', unreadable: 0 })
  await expect(decodeText(fromLatin('\x00\x01\x02\xff\xfe\x00\x09'))).rejects.toThrow(UnreadableFileError)
})
