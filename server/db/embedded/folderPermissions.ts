import { chmodSync, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { FolderError } from './folderGuard.ts'

/** Group and others: read, write, enter. */
const GROUP_AND_OTHERS_MASK = 0o077
/** `EX_CONFIG` of sysexits: needs manual correction. */
const EXIT_CONFIG = 78

/**
 * Closes DATA_DIR, and what Loupe stores in it, to all other users of the machine, whatever its owner and mode.
 * Entries in DATA_DIR that are not Loupe's are left alone: nobody else can enter the folder.
 * @throws FolderError (exit code 78) where the folder stays open because it belongs to somebody else
 */
export function restrictFolder(folder: string): void {
  // Windows has no file modes.
  if (process.platform === 'win32' || !existsSync(folder)) return
  restrictEntry(folder, folder)
  for (const name of readdirSync(folder).filter((entry) => OWN_ENTRIES.test(entry)))
    restrictTree(join(folder, name), folder)
}

const OWN_ENTRIES = /^(database(\.before-.*)?|secrets|snapshots|lock\.(sqlite|json)|marker\.json(\.new)?)$/

function restrictTree(path: string, folder: string): void {
  restrictEntry(path, folder)
  if (!findStats(path)?.isDirectory()) return
  // `path` itself may be a link to another disk; links below it are not Loupe's.
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) restrictEntry(join(entry.parentPath, entry.name), folder)
}

function restrictEntry(path: string, folder: string): void {
  const open = findStats(path)
  if (!open || isOwnerOnly(open)) return
  try {
    chmodSync(path, open.mode & 0o700)
  } catch (error) {
    throw toNotRestrictedError(path, open, folder, (error as NodeJS.ErrnoException).code ?? 'unknown error')
  }
  const after = findStats(path)
  if (after && !isOwnerOnly(after)) throw toNotRestrictedError(path, after, folder, 'the file system keeps no modes')
}

/** A file may disappear meanwhile: while another process has the database open, this one is refused later. */
const findStats = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

const isOwnerOnly = ({ mode }: Stats): boolean => (mode & GROUP_AND_OTHERS_MASK) === 0

const toNotRestrictedError = (path: string, { mode, uid }: Stats, folder: string, why: string): FolderError =>
  new FolderError(
    `Other users of this machine can open ${path} (mode ${(mode & 0o777).toString(8)}, owner ${uid}), and this process ` +
      `(user ${process.getuid?.() ?? 'unknown'}) cannot close it: ${why}. Loupe keeps questions, answers and secrets there, so it does not start. ` +
      `Give ${folder} to the user that runs Loupe (chown -R) and close it (chmod -R go-rwx), or set DATA_DIR to another folder.`,
    EXIT_CONFIG,
  )
