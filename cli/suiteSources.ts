import { type Key, type Workspace, workspaceEndpoints } from '#contract/console/workspaces.ts'
import { type SuiteFile, suiteFileEndpoints } from '#contract/console/suiteFiles.ts'
import { type Suite, suiteEndpoints, type SuiteTarget } from '#contract/console/suites.ts'
import { Id } from '#contract/endpoint.ts'
import { parseSuiteFile } from '#domain/suiteFile/suiteFileText.ts'
import { CliError, usageError } from './cliError.ts'
import type { CommandLine } from './commandLine.ts'
import type { ConsoleClient } from './consoleClient.ts'
import { readTextFile } from './textFiles.ts'

export const isFileName = (source: string): boolean => /\.ya?ml$/i.test(source) || source.includes('/')

/** @throws CliError that names each line which is wrong */
export function readSuiteFile(path: string): { text: string; file: SuiteFile } {
  const text = readTextFile(path)
  const { file, faults } = parseSuiteFile(text)
  if (file) return { text, file }
  const lines = faults.map(
    ({ line, path: field, message }) => `${path}:${line}: ${[field, message].filter(Boolean).join(' ')}`,
  )
  throw new CliError(lines.join('\n'))
}

const PAGE_SIZE = 100

export async function listAll<Item>(
  read: (page: number, limit: number) => Promise<{ data: Item[]; has_more: boolean }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const { data, has_more } = await read(page, PAGE_SIZE)
    items.push(...data)
    if (!has_more) return items
  }
}

const isNamed = (name: string, { id, label }: { id: string; label: string }): boolean => id === name || label === name
const toList = (names: readonly string[]): string =>
  names.length > 0 ? names.map((one) => `“${one}”`).join(', ') : 'none'

/** The workspaces that the token sees, or the one that `--workspace` names. */
export async function listWorkspaces(client: ConsoleClient, named: string | null): Promise<Workspace[]> {
  const { data } = await client.call(workspaceEndpoints.listWorkspaces)
  const found = named === null ? data : data.filter(({ id, name }) => isNamed(named, { id, label: name }))
  if (found.length > 0) return found
  throw usageError(
    named === null
      ? 'The token has access to no workspace. An admin can grant access.'
      : `--workspace names none of: ${toList(data.map(({ name }) => name))}.`,
  )
}

export async function findSuite(client: ConsoleClient, source: string, workspace: string | null): Promise<Suite> {
  if (Id.safeParse(source).success) return client.call(suiteEndpoints.readSuite, { params: { suite_id: source } })
  const found: Suite[] = []
  for (const { id } of await listWorkspaces(client, workspace)) found.push(...(await listNamed(client, id, source)))
  const [first, ...others] = found
  if (!first) throw usageError(`No suite “${source}”. If it is a file, its name must end with .yaml.`)
  if (others.length > 0)
    throw usageError(
      `${found.length} suites are named “${source}”: use an id, ${found.map(({ id }) => id).join(' or ')}.`,
    )
  return first
}

const listNamed = async (client: ConsoleClient, workspace: string, name: string): Promise<Suite[]> => {
  const q = name.slice(0, 120)
  const suites = await listAll((page, limit) =>
    client.call(suiteEndpoints.listSuites, { query: { workspace, q, page, limit } }),
  )
  return suites.filter((suite) => suite.name === name)
}

/** The keys that a suite of this kind can run with. */
const isUsable = ({ kind }: Key, target: SuiteTarget): boolean =>
  target === 'retrieval' ? kind === 'knowledge' || kind === 'chat' : kind === target

export function findApp(
  workspaces: readonly Workspace[],
  target: SuiteTarget,
  app: string,
): Key & { workspace: string } {
  const usable = workspaces.flatMap(({ id, keys }) =>
    keys.filter((key) => isUsable(key, target)).map((key) => ({ ...key, workspace: id })),
  )
  const found = usable.filter((key) => isNamed(app, key))
  const [first, ...others] = found
  if (!first) throw usageError(`--app names no ${target} app of: ${toList(usable.map(({ label }) => label))}.`)
  if (others.length > 0)
    throw usageError(`--app names ${found.length} apps: use an id, ${found.map(({ id }) => id).join(' or ')}.`)
  return first
}

/** The suite of a file that has no id yet: the one with its name that is about the same; null where there is none. */
export async function findSuiteOfFile(client: ConsoleClient, file: SuiteFile, options: CommandLine) {
  const { workspace, about } = await findPlace(client, file, options)
  const named = (await listNamed(client, workspace, file.name)).filter(
    (suite) => suite.target === file.target && suite.about === about,
  )
  return { workspace, about, suite: named[0] ?? null }
}

async function findPlace(client: ConsoleClient, { target, about }: SuiteFile, options: CommandLine) {
  const workspaces = await listWorkspaces(client, options.workspace)
  if (target !== 'retrieval') {
    const app = options.app ?? about
    if (!app) throw usageError('The file names no app. Pass one with --app.')
    const { id, workspace } = findApp(workspaces, target, app)
    return { workspace, about: id }
  }
  if (!about) throw usageError('The file must name its dataset: about: ID.')
  const [workspace, ...others] = workspaces
  if (!workspace || others.length > 0)
    throw usageError(`--workspace must name one of: ${toList(workspaces.map(({ name }) => name))}.`)
  return { workspace: workspace.id, about }
}

export const readStoredFile = (client: ConsoleClient, suite_id: string) =>
  client.call(suiteFileEndpoints.readSuiteFile, { params: { suite_id } })
