import { inflateRawSync } from 'node:zlib'
import { invalidParam, PlatformError } from '../errors.ts'

/** Bytes that all files of an archive may have together, unpacked, and how many files. */
const MOST_BYTES = 100 * 1024 * 1024
const MOST_FILES = 5000

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50

/**
 * Unpacks every file of an archive, to nowhere, and stops at the bound: what an archive says of its sizes may be a lie.
 * Gives the names of its files.
 */
export function demandSmallZip(bytes: Uint8Array): string[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return walk(zip)
  } catch (error) {
    if (error instanceof PlatformError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw invalidParam('The file is a damaged archive.')
  }
}

function walk(zip: Buffer): string[] {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > MOST_FILES) throw tooLarge()
  const names: string[] = []
  let at = zip.readUInt32LE(end + 16)
  let room = MOST_BYTES
  for (let index = 0; index < count; index++) {
    if (zip.readUInt32LE(at) !== ENTRY) throw invalidParam('The file is a damaged archive.')
    if (zip.readUInt16LE(at + 8) & 1) throw invalidParam('The file is encrypted; save it without a password.')
    const nameLength = zip.readUInt16LE(at + 28)
    names.push(zip.toString('utf8', at + 46, at + 46 + nameLength))
    room -= unpackedSize(zip, at, room)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return names
}

/** The directory stands at the end, behind it at most a comment of 64 KiB. */
function findEnd(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 0xffff); at--)
    if (zip.readUInt32LE(at) === END) return at
  throw invalidParam('The file is a damaged archive.')
}

function unpackedSize(zip: Buffer, entry: number, room: number): number {
  const method = zip.readUInt16LE(entry + 10)
  const packed = zip.readUInt32LE(entry + 20)
  const local = zip.readUInt32LE(entry + 42)
  if (zip.readUInt32LE(local) !== LOCAL) throw invalidParam('The file is a damaged archive.')
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (method === 0) return demandRoom(packed, room)
  if (method !== 8) throw invalidParam('The file is an archive of a kind that is not read.')
  if (room < 1) throw tooLarge()
  return inflateRawSync(zip.subarray(start, start + packed), { maxOutputLength: room }).length
}

function demandRoom(size: number, room: number): number {
  if (size > room) throw tooLarge()
  return size
}

const tooLarge = (): PlatformError =>
  new PlatformError(413, 'file_too_large', 'The file is too large when it is unpacked.')
