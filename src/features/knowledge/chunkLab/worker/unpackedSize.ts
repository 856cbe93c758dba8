const ZIP_END_SIGNATURE = 0x06054b50
const ZIP_ENTRY_SIGNATURE = 0x02014b50
const ZIP_LOCAL_SIGNATURE = 0x04034b50

/**
 * The uncompressed bytes of all files of an archive. They are counted while decompressing, since the declared sizes
 * may be false; stops above the limit. Null if it is no readable archive.
 */
export async function measureUnpackedBytes(bytes: ArrayBuffer, maxBytes: number): Promise<number | null> {
  const view = new DataView(bytes)
  try {
    const end = findDirectoryEnd(view)
    if (end === null) return null
    let at = view.getUint32(end + 16, true)
    let size = 0
    for (let left = view.getUint16(end + 10, true); left > 0 && size <= maxBytes; left--) {
      if (view.getUint32(at, true) !== ZIP_ENTRY_SIGNATURE) return null
      size += await measureEntryBytes(bytes, view, at, maxBytes - size)
      at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
    return size
  } catch {
    return null
  }
}

/** The directory stands at the end, behind it at most a comment of 64 KiB. */
function findDirectoryEnd(view: DataView): number | null {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--)
    if (view.getUint32(at, true) === ZIP_END_SIGNATURE) return at
  return null
}

async function measureEntryBytes(bytes: ArrayBuffer, view: DataView, entry: number, maxBytes: number): Promise<number> {
  const isPacked = view.getUint16(entry + 10, true) !== 0
  const packed = view.getUint32(entry + 20, true)
  const local = view.getUint32(entry + 42, true)
  if (view.getUint32(local, true) !== ZIP_LOCAL_SIGNATURE) throw new RangeError('no file where the directory has one')
  if (!isPacked) return packed
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packedPart = new Response(bytes.slice(start, start + packed)).body
  if (!packedPart) return 0
  const stream = packedPart.pipeThrough(new DecompressionStream('deflate-raw'))
  let size = 0
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) return size
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return size
    }
  }
}
