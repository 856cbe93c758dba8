import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { checkZip } from './zipArchive.ts'

/** An archive of files that are packed, each said to have 10 bytes, whatever it has. */
function makeZip(files: Record<string, string>, { flags = 0, method = 8 } = {}): Uint8Array<ArrayBuffer> {
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])))
  const view = new DataView(zip.buffer)
  for (let at = 0; at < zip.length - 4; at++) {
    // The flags in the header of a file and in the directory; the method and the size come after them.
    const flagsAt = at + ({ 0x04034b50: 6, 0x02014b50: 8 }[view.getUint32(at, true)] ?? -at)
    if (flagsAt === 0) continue
    view.setUint16(flagsAt, flags, true)
    view.setUint16(flagsAt + 2, method, true)
    view.setUint32(flagsAt + 16, 10, true)
  }
  return zip
}

const limits = { maxUnpackedBytes: 10_000, maxFiles: 5 }

test('the files of an archive are named', async () => {
  expect(await checkZip(makeZip({ 'a.xml': 'x'.repeat(1000), 'b.xml': '' }), limits)).toEqual(['a.xml', 'b.xml'])
})

test('the view of a larger buffer is read from its own start', async () => {
  const zip = makeZip({ 'a.xml': 'text' })
  const larger = new Uint8Array([1, 0, 0, 0, ...zip, 2, 0, 0, 0])
  expect(await checkZip(larger.subarray(4, 4 + zip.length), limits)).toEqual(['a.xml'])
})

test('an archive that declares less than it holds is too large, also as a sum of its files', async () => {
  const check = async (files: Record<string, string>) => checkZip(makeZip(files), limits)
  await expect(check({ 'a.xml': ' '.repeat(5_000_000) })).rejects.toMatchObject({ problem: 'tooLarge' })
  await expect(check({ a: 'x'.repeat(6_000), b: 'x'.repeat(6_000) })).rejects.toMatchObject({ problem: 'tooLarge' })
  expect(await check({ a: 'x'.repeat(4_000), b: 'x'.repeat(6_000) })).toEqual(['a', 'b'])
  await expect(check({ a: '', b: '', c: '', d: '', e: '', f: '' })).rejects.toMatchObject({ problem: 'tooLarge' })
})

test('what is no archive, or a part of one, is damaged', async () => {
  const zip = makeZip({ 'a.xml': 'x'.repeat(1000) })
  for (const bytes of [strToU8('no archive, but some words of a text'), new Uint8Array(), zip.slice(20)])
    await expect(checkZip(bytes, limits)).rejects.toMatchObject({ problem: 'damaged' })
})

test('an encrypted archive and one of another method are named so', async () => {
  const check = async (how: { flags?: number; method?: number }) => checkZip(makeZip({ a: 'text' }, how), limits)
  await expect(check({ flags: 1 })).rejects.toMatchObject({ problem: 'encrypted' })
  await expect(check({ method: 12 })).rejects.toMatchObject({ problem: 'unsupported' })
  expect(await check({ method: 0 })).toEqual(['a'])
})
