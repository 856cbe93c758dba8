import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError, usageError } from './cliError.ts'

/** @throws CliError for usage where there is none, and where it cannot be read */
export function readTextFile(path: string): string {
  if (!existsSync(path)) throw usageError(`There is no file ${path}.`)
  return attempt(() => readFileSync(path, 'utf8'), `${path} cannot be read`)
}

/** @throws CliError */
export const writeTextFile = (path: string, text: string): void =>
  attempt(() => writeFileSync(path, text), `${path} cannot be written`)

/** @throws CliError */
export const appendTextFile = (path: string, text: string): void =>
  attempt(() => appendFileSync(path, text), `${path} cannot be written`)

/** Looks before something long begins. @throws CliError for usage where a file cannot be at this path */
export function requireFilePath(option: string, path: string): void {
  if (isFolder(path)) throw usageError(`${option} is ${path}, which is a folder.`)
  if (!isFolder(dirname(path))) throw usageError(`${option} is ${path}: there is no folder ${dirname(path)}.`)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function attempt<Result>(act: () => Result, failure: string): Result {
  try {
    return act()
  } catch (error) {
    throw new CliError(`${failure}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`)
  }
}
