const END_OF_DIRECTORY_SIGNATURE = 0x06054b50
const DIRECTORY_ENTRY_SIGNATURE = 0x02014b50
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const MAX_COMMENT_BYTES = 0xffff
const ENCRYPTED_FLAG = 1
const METHODS = { stored: 0, deflated: 8 }

/** Why an archive is not read. */
export type ZipProblem = 'damaged' | 'encrypted' | 'unsupported' | 'tooLarge'

export class ZipError extends Error {
  readonly problem: ZipProblem
  constructor(problem: ZipProblem) {
    super(problem)
    this.problem = problem
  }
}

export interface ZipLimits {
  /** Maximum unpacked size of all files together. */
  maxUnpackedBytes: number
  maxFiles: number
}

/**
 * Unpacks every file of an archive without keeping it, up to the limits: the sizes in the archive's directory may be
 * false. Returns the names of the files. @throws ZipError
 */
export async function checkZip(bytes: Uint8Array<ArrayBuffer>, limits: ZipLimits): Promise<string[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return await listFiles(bytes, view, limits)
  } catch (error) {
    // A read behind the end of the bytes, or a stream that cannot be unpacked.
    throw error instanceof ZipError ? error : new ZipError('damaged')
  }
}

async function listFiles(bytes: Uint8Array<ArrayBuffer>, view: DataView, limits: ZipLimits): Promise<string[]> {
  const end = findDirectoryEnd(view)
  const count = view.getUint16(end + 10, true)
  if (count > limits.maxFiles) throw new ZipError('tooLarge')
  const names: string[] = []
  let entry = view.getUint32(end + 16, true)
  let bytesLeft = limits.maxUnpackedBytes
  for (let index = 0; index < count; index++) {
    if (view.getUint32(entry, true) !== DIRECTORY_ENTRY_SIGNATURE) throw new ZipError('damaged')
    if (view.getUint16(entry + 8, true) & ENCRYPTED_FLAG) throw new ZipError('encrypted')
    const nameLength = view.getUint16(entry + 28, true)
    names.push(new TextDecoder().decode(bytes.subarray(entry + 46, entry + 46 + nameLength)))
    bytesLeft -= await measureFileBytes(bytes, view, entry, bytesLeft)
    if (bytesLeft < 0) throw new ZipError('tooLarge')
    entry += 46 + nameLength + view.getUint16(entry + 30, true) + view.getUint16(entry + 32, true)
  }
  return names
}

/** The directory is at the end, followed by a comment of at most 64 KiB. */
function findDirectoryEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - MAX_COMMENT_BYTES); at--)
    if (view.getUint32(at, true) === END_OF_DIRECTORY_SIGNATURE) return at
  throw new ZipError('damaged')
}

/** The unpacked size of a file; stops above `maxBytes`. */
async function measureFileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView,
  entry: number,
  maxBytes: number,
): Promise<number> {
  const method = view.getUint16(entry + 10, true)
  const packedBytes = view.getUint32(entry + 20, true)
  const header = view.getUint32(entry + 42, true)
  if (view.getUint32(header, true) !== LOCAL_HEADER_SIGNATURE) throw new ZipError('damaged')
  if (method === METHODS.stored) return packedBytes
  if (method !== METHODS.deflated) throw new ZipError('unsupported')
  const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
  const packed = new Blob([bytes.subarray(start, start + packedBytes)]).stream()
  let size = 0
  for (const reader = packed.pipeThrough(new DecompressionStream('deflate-raw')).getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) return size
    size += value.byteLength
    if (size <= maxBytes) continue
    await reader.cancel()
    return size
  }
}
