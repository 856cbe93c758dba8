import { existsSync } from 'node:fs'
import { type SuiteFile, type SuiteFileReply, suiteFileEndpoints } from '#contract/console/suiteFiles.ts'
import { suiteEndpoints } from '#contract/console/suites.ts'
import {
  findSuiteChanges,
  hashSuiteContent,
  hasSuiteChanges,
  type StoredContent,
} from '#domain/suiteFile/suiteContent.ts'
import { parseSuiteFile } from '#domain/suiteFile/suiteFileText.ts'
import { CliError } from './cliError.ts'
import type { CommandLine } from './commandLine.ts'
import type { ConsoleClient } from './consoleClient.ts'
import { findSuite, findSuiteOfFile, isFileName, readStoredFile, readSuiteFile } from './suiteSources.ts'
import { writeTextFile } from './textFiles.ts'

export interface FileCommandResult {
  file: string
  suite: string
  revision: number
  result: string
}

/** Writes a suite into a file. @throws CliError where the file has changes that the suite does not have */
export async function pullSuite(client: ConsoleClient, options: CommandLine): Promise<FileCommandResult> {
  const [source = '', target] = options.sources
  const given = isFileName(source) ? { path: source, ...readSuiteFile(source) } : null
  if (given && !given.file.id) throw new CliError(`${source} has no id of a suite: push it first.`)
  const suite_id = given?.file.id ?? (await findSuite(client, source, options.workspace)).id
  const stored = await readStoredFile(client, suite_id)
  const path = target ?? given?.path ?? `${toFileName(parseStored(stored).name)}.suite.yaml`
  if (!existsSync(path)) return write(path, stored, 'written')
  const { text, file } = readSuiteFile(path)
  if (text === stored.text) return toResult(path, stored, 'is up to date')
  const isSame = !hasSuiteChanges(findSuiteChanges(parseStored(stored), file))
  if (!isSame && !options.isForced) await requireUnchanged(path, file, stored)
  return write(path, stored, isSame ? 'says what the suite is; its revision was updated' : 'overwritten')
}

/** The file is unchanged since it was pulled, so overwriting it loses nothing. */
async function requireUnchanged(path: string, file: SuiteFile, stored: SuiteFileReply): Promise<void> {
  if (file.id !== stored.id)
    throw new CliError(`${path} is of another suite. Pull into another file, or overwrite it with --force.`)
  if (file.content_hash === (await hashSuiteContent(file))) return
  const advice =
    file.revision === stored.revision
      ? `The suite has not changed: push it, or drop the changes with --force.`
      : `The suite has changed, too: commit the file, pull it with --force, and merge the two.`
  throw new CliError(`${path} has changes that the suite does not have. ${advice}`)
}

/** Makes suites match their files. A file without an id creates a suite, and then gets its id and revision. */
export async function pushFile(client: ConsoleClient, path: string, options: CommandLine): Promise<FileCommandResult> {
  const { text, file } = readSuiteFile(path)
  const { id, revision, content_hash } = file.id ? file : await findBase(client, path, file, options)
  const reply = await client.call(suiteFileEndpoints.pushSuiteFile, {
    params: { suite_id: id ?? '' },
    body: {
      revision: revision ?? 1,
      content_hash,
      // A new file may name its app by label.
      about: file.id ? file.about : undefined,
      name: file.name,
      target: file.target,
      checks: file.checks,
      cases: file.cases,
    },
  })
  const { added, changed, removed } = reply
  const isChanged = added + changed + removed > 0 || reply.revision !== revision
  if (reply.text !== text) writeTextFile(path, reply.text)
  return toResult(path, reply, isChanged ? `${added} added, ${changed} changed, ${removed} removed` : 'is up to date')
}

/** The base of a file without an id: a new suite, or an existing one with the same content. */
async function findBase(client: ConsoleClient, path: string, file: SuiteFile, options: CommandLine) {
  const { workspace, about, suite } = await findSuiteOfFile(client, file, options)
  const { name, target, checks } = file
  if (!suite) {
    const { id, revision } = await client.call(suiteEndpoints.createSuite, {
      body: { workspace, name, target, about, checks },
    })
    return { id, revision, content_hash: undefined }
  }
  const stored = await readStoredFile(client, suite.id)
  if (suite.cases > 0 && hasSuiteChanges(findSuiteChanges(parseStored(stored), file)))
    throw new CliError(
      `The suite “${name}” already exists and differs from ${path}. Pull it into another file and merge the two, or rename one: ${suite.id}.`,
    )
  return stored
}

function parseStored({ text }: SuiteFileReply): StoredContent {
  const { file } = parseSuiteFile(text)
  if (!file) throw new CliError('The server sent a file that this version cannot read. Use the command that it serves.')
  return file as StoredContent
}

function write(path: string, stored: SuiteFileReply, result: string): FileCommandResult {
  writeTextFile(path, stored.text)
  return toResult(path, stored, result)
}

const toResult = (file: string, { id, revision }: SuiteFileReply, result: string): FileCommandResult => ({
  file,
  suite: id,
  revision,
  result,
})

const toFileName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'suite'
