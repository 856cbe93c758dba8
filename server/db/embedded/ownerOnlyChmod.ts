import fs, { type Mode, type PathLike } from 'node:fs'

/**
 * For the thread and the process that run only PGlite. Its file system sets the mode of each file that it creates
 * (0666 for many), ignoring the umask; it takes `chmodSync` from this object.
 */
const { chmodSync } = fs
fs.chmodSync = (path: PathLike, mode: Mode) => chmodSync(path, Number(mode) & 0o700)
