import { chmodSync, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { FolderError } from './guard.ts'

/** Group and others: read, write, enter. */
const OTHERS = 0o077
/** `EX_CONFIG` of sysexits: only a person can set it right. */
const EXIT_CONFIG = 78

/**
 * Takes DATA_DIR, and what Loupe keeps in it, away from every other user of the machine, whoever created it and with
 * whatever mode. Entries in DATA_DIR that are not Loupe's own are left as they are: nobody else can enter the folder.
 * @throws FolderError (exit code 78) where the folder stays open because it belongs to somebody else.
 */
export function closeFolder(folder: string): void {
  // Windows has no modes.
  if (process.platform === 'win32' || !existsSync(folder)) return
  closeEntry(folder, folder)
  for (const name of readdirSync(folder).filter((entry) => OWN.test(entry))) closeTree(join(folder, name), folder)
}

const OWN = /^(database(\.before-.*)?|secrets|snapshots|lock\.(sqlite|json)|marker\.json(\.new)?)$/

function closeTree(path: string, folder: string): void {
  closeEntry(path, folder)
  if (!find(path)?.isDirectory()) return
  // `path` itself may be a link to another disk; a link below it is not Loupe's.
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) closeEntry(join(entry.parentPath, entry.name), folder)
}

function closeEntry(path: string, folder: string): void {
  const open = find(path)
  if (!open || isClosed(open)) return
  try {
    chmodSync(path, open.mode & 0o700)
  } catch (error) {
    throw notClosed(path, open, folder, (error as NodeJS.ErrnoException).code ?? 'unknown error')
  }
  const after = find(path)
  if (after && !isClosed(after)) throw notClosed(path, after, folder, 'the file system keeps no modes')
}

/** A file may go meanwhile: where another process has the database open, this one is refused later. */
const find = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

const isClosed = ({ mode }: Stats): boolean => (mode & OTHERS) === 0

const notClosed = (path: string, { mode, uid }: Stats, folder: string, why: string): FolderError =>
  new FolderError(
    `Other users of this machine can open ${path} (mode ${(mode & 0o777).toString(8)}, owner ${uid}), and this process ` +
      `(user ${process.getuid?.() ?? 'unknown'}) cannot close it: ${why}. Loupe keeps questions, answers and secrets there, so it does not start. ` +
      `Give ${folder} to the user that runs Loupe (chown -R) and close it (chmod -R go-rwx), or set DATA_DIR to another folder.`,
    EXIT_CONFIG,
  )
