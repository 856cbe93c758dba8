import { expect, test } from 'vitest'
import { measureUnpackedBytes } from './unpackedSize.ts'

/** An archive of files that are packed, each said to have 10 bytes, whatever it has. */
async function makeZip(files: Record<string, string>): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = await pack(content)
    const common = [
      [20, 2],
      [0, 2],
      [8, 2],
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
  return concatBytes([...parts, listed, end]).buffer
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

test('the files of an archive are counted as they unpack', async () => {
  expect(await measureUnpackedBytes(await makeZip({ 'a.xml': 'x'.repeat(1000), 'b.xml': '' }), 10_000)).toBe(1000)
})

test('an archive that says less than it holds is counted only until the bound', async () => {
  const bytes = await makeZip({ 'a.xml': ' '.repeat(50_000_000), 'b.xml': 'x'.repeat(1000) })
  const size = await measureUnpackedBytes(bytes, 1_000_000)
  expect(size).toBeGreaterThan(1_000_000)
  expect(size).toBeLessThan(10_000_000)
})

test('what is no archive has no size', async () => {
  expect(await measureUnpackedBytes(new TextEncoder().encode('no archive, but some words of a text').buffer, 10)).toBe(
    null,
  )
  expect(await measureUnpackedBytes(new ArrayBuffer(0), 10)).toBe(null)
  const cut = (await makeZip({ 'a.xml': 'x'.repeat(1000) })).slice(20)
  expect(await measureUnpackedBytes(cut, 10_000)).toBe(null)
})
