import { createHash } from 'node:crypto'
import { constants, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../database.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url).pathname

/** A folder with an empty database of the newest schema, for one test file. */
export async function createTestFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-test-'))
  await fillTestFolder(folder)
  return folder
}

/** Making a database takes seconds, so it is made once for a set of migrations and copied. */
export async function fillTestFolder(folder: string): Promise<void> {
  const template = join(tmpdir(), `loupe-template-${fingerprint()}`)
  if (!existsSync(template)) await makeTemplate(template)
  for (const name of ['database', 'marker.json'])
    // Where the file system can, the copy shares its blocks until it is written to.
    cpSync(join(template, name), join(folder, name), { recursive: true, mode: constants.COPYFILE_FICLONE })
}

/** Made aside and moved into place: two test files may make it at once, the first one stays. */
async function makeTemplate(template: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-template-'))
  await (await openDatabase({ folder })).close()
  try {
    renameSync(folder, template)
  } catch {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fingerprint(): string {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  // The journal says when each was made: a database of an earlier making would be migrated again.
  const texts = [...files, 'meta/_journal.json'].map((name) => name + readFileSync(MIGRATIONS + name, 'utf8'))
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
}
