import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { unpackedSize } from './unpacked.ts'

const zipOf = async (files: Record<string, string>): Promise<ArrayBuffer> => {
  const zip = new JSZip()
  for (const [name, content] of Object.entries(files)) zip.file(name, content)
  return zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })
}

test('the files of an archive are counted as they unpack', async () => {
  expect(await unpackedSize(await zipOf({ 'a.xml': 'x'.repeat(1000), 'b.xml': '' }), 10_000)).toBe(1000)
})

test('an archive that says less than it holds is counted only until the bound', async () => {
  const bytes = await zipOf({ 'a.xml': ' '.repeat(50_000_000), 'b.xml': 'x'.repeat(1000) })
  const view = new DataView(bytes)
  for (let at = 0; at < bytes.byteLength - 4; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true)
  const size = await unpackedSize(bytes, 1_000_000)
  expect(size).toBeGreaterThan(1_000_000)
  expect(size).toBeLessThan(10_000_000)
})

test('what is no archive has no size', async () => {
  expect(await unpackedSize(new TextEncoder().encode('no archive, but some words of a text').buffer, 10)).toBe(null)
  expect(await unpackedSize(new ArrayBuffer(0), 10)).toBe(null)
  const cut = (await zipOf({ 'a.xml': 'x'.repeat(1000) })).slice(20)
  expect(await unpackedSize(cut, 10_000)).toBe(null)
})
