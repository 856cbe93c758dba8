import { inflateRawSync } from 'node:zlib'
import { toInvalidParamError, PlatformError } from '../platformErrors.ts'

/** Maximum unpacked size of an archive in bytes, and maximum number of its files. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
const MAX_FILES = 5000

const END_OF_DIRECTORY_SIGNATURE = 0x06054b50
const DIRECTORY_ENTRY_SIGNATURE = 0x02014b50
const LOCAL_HEADER_SIGNATURE = 0x04034b50

/**
 * Unpacks every file of an archive without storing it, up to the limit: the sizes in the archive's directory may be
 * false. Returns the names of its files.
 */
export function requireSmallZip(bytes: Uint8Array): string[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return listEntries(zip)
  } catch (error) {
    if (error instanceof PlatformError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') throw toTooLargeError()
    throw toInvalidParamError('The file is a damaged archive.')
  }
}

function listEntries(zip: Buffer): string[] {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > MAX_FILES) throw toTooLargeError()
  const names: string[] = []
  let offset = zip.readUInt32LE(end + 16)
  let bytesLeft = MAX_UNPACKED_BYTES
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32LE(offset) !== DIRECTORY_ENTRY_SIGNATURE)
      throw toInvalidParamError('The file is a damaged archive.')
    if (zip.readUInt16LE(offset + 8) & 1)
      throw toInvalidParamError('The file is encrypted; save it without a password.')
    const nameLength = zip.readUInt16LE(offset + 28)
    names.push(zip.toString('utf8', offset + 46, offset + 46 + nameLength))
    bytesLeft -= getUnpackedBytes(zip, offset, bytesLeft)
    offset += 46 + nameLength + zip.readUInt16LE(offset + 30) + zip.readUInt16LE(offset + 32)
  }
  return names
}

/** The directory is at the end, followed by a comment of at most 64 KiB. */
function findEnd(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 0xffff); at--)
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY_SIGNATURE) return at
  throw toInvalidParamError('The file is a damaged archive.')
}

function getUnpackedBytes(zip: Buffer, entry: number, bytesLeft: number): number {
  const method = zip.readUInt16LE(entry + 10)
  const packed = zip.readUInt32LE(entry + 20)
  const local = zip.readUInt32LE(entry + 42)
  if (zip.readUInt32LE(local) !== LOCAL_HEADER_SIGNATURE) throw toInvalidParamError('The file is a damaged archive.')
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (method === 0) return requireWithinLimit(packed, bytesLeft)
  if (method !== 8) throw toInvalidParamError('The file is an archive of a kind that is not read.')
  if (bytesLeft < 1) throw toTooLargeError()
  return inflateRawSync(zip.subarray(start, start + packed), { maxOutputLength: bytesLeft }).length
}

function requireWithinLimit(size: number, bytesLeft: number): number {
  if (size > bytesLeft) throw toTooLargeError()
  return size
}

const toTooLargeError = (): PlatformError =>
  new PlatformError(413, 'file_too_large', 'The file is too large when it is unpacked.')
