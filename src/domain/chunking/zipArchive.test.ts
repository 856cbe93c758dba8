import { expect, test } from 'vitest'
import { checkZip } from './zipArchive.ts'

/** An archive of files that are packed, each said to have 10 bytes, whatever it has. */
async function makeZip(
  files: Record<string, string>,
  { flags = 0, method = 8 } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = await pack(content)
    const common = [
      [20, 2],
      [flags, 2],
      [method, 2],
      [0, 4],
      [0, 4],
      [packed.length, 4],
      [10, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const local = concatBytes([toBytes([[0x04034b50, 4], ...common]), encoded(name), packed])
    directory.push(
      toBytes([[0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]),
      encoded(name),
    )
    parts.push(local)
    at += local.length
  }
  const listed = concatBytes(directory)
  const count = Object.keys(files).length
  const end = toBytes([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [listed.length, 4],
    [at, 4],
    [0, 2],
  ])
  return concatBytes([...parts, listed, end])
}

const encoded = (text: string) => new Uint8Array(new TextEncoder().encode(text))

async function pack(content: string): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(content).body?.pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(body ?? null).arrayBuffer())
}

/** Numbers, each with its bytes, low byte first. */
function toBytes(numbers: readonly (readonly [value: number, bytes: number])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    numbers.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, index) => (value >>> (index * 8)) & 255)),
  )
}

function concatBytes(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const limits = { maxUnpackedBytes: 10_000, maxFiles: 5 }

test('the files of an archive are named', async () => {
  expect(await checkZip(await makeZip({ 'a.xml': 'x'.repeat(1000), 'b.xml': '' }), limits)).toEqual(['a.xml', 'b.xml'])
})

test('the view of a larger buffer is read from its own start', async () => {
  const zip = await makeZip({ 'a.xml': 'text' })
  const larger = concatBytes([toBytes([[1, 4]]), zip, toBytes([[2, 4]])])
  expect(await checkZip(larger.subarray(4, 4 + zip.length), limits)).toEqual(['a.xml'])
})

test('an archive that declares less than it holds is too large, also as a sum of its files', async () => {
  const check = async (files: Record<string, string>) => checkZip(await makeZip(files), limits)
  await expect(check({ 'a.xml': ' '.repeat(50_000_000) })).rejects.toMatchObject({ problem: 'tooLarge' })
  await expect(check({ a: 'x'.repeat(6_000), b: 'x'.repeat(6_000) })).rejects.toMatchObject({ problem: 'tooLarge' })
  expect(await check({ a: 'x'.repeat(4_000), b: 'x'.repeat(6_000) })).toEqual(['a', 'b'])
  await expect(check({ a: '', b: '', c: '', d: '', e: '', f: '' })).rejects.toMatchObject({ problem: 'tooLarge' })
})

test('what is no archive, or a part of one, is damaged', async () => {
  const zip = await makeZip({ 'a.xml': 'x'.repeat(1000) })
  for (const bytes of [encoded('no archive, but some words of a text'), new Uint8Array(), zip.slice(20)])
    await expect(checkZip(bytes, limits)).rejects.toMatchObject({ problem: 'damaged' })
})

test('an encrypted archive and one of another method are named so', async () => {
  const check = async (how: { flags?: number; method?: number }) => checkZip(await makeZip({ a: 'text' }, how), limits)
  await expect(check({ flags: 1 })).rejects.toMatchObject({ problem: 'encrypted' })
  await expect(check({ method: 12 })).rejects.toMatchObject({ problem: 'unsupported' })
  expect(await check({ method: 0 })).toEqual(['a'])
})
