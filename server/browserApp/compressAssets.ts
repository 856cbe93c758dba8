import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { listFiles, readBuildRecord, replaceFile, writeBuildRecord } from './buildRecord.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/**
 * Writes a gzip and a brotli file for each text asset, so that the server compresses nothing per request. It takes
 * longer than the rest of the build and is optional, so a start does not wait for it.
 */
export async function compressAssets(folder: string): Promise<void> {
  const record = readBuildRecord(folder)
  if (!record || record.isCompressed) return
  const paths = listFiles(folder).filter((path) => /\.(js|css|svg)$/.test(path))
  await Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path)
      const bytes = readFileSync(file)
      replaceFile(`${file}.gz`, await compressGzip(bytes, { level: 9 }))
      replaceFile(`${file}.br`, await compressBrotli(bytes))
    }),
  )
  // Another build may have taken the place of this one meanwhile.
  if (existsSync(folder) && readBuildRecord(folder)?.inputs === record.inputs)
    writeBuildRecord(folder, { ...record, isCompressed: true })
}
