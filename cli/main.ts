import { readFileSync } from 'node:fs'
import { CliError, EXIT_CODES } from './cliError.ts'
import { type CommandLine, HELP, parseCommandLine } from './commandLine.ts'
import { createConsoleClient } from './consoleClient.ts'
import { evaluateSuites } from './evalCommand.ts'
import type { Evaluation } from './reports/evaluation.ts'
import { toJunitXml } from './reports/junitReport.ts'
import { toMarkdown, toTextReport } from './reports/markdownReport.ts'
import { type FileCommandResult, pullSuite, pushFile } from './suiteFileCommands.ts'
import { appendTextFile, requireFilePath, writeTextFile } from './textFiles.ts'

const REPORTS = ['junit', 'json', 'markdown'] as const

/** Control and format characters from a platform would change what a terminal shows. */
const INVISIBLE = /[[\p{Cc}\p{Cf}]--\n]/gv

/** Data goes to stdout, everything else to stderr. */
const report = (line: string) => void process.stderr.write(`${line.replace(INVISIBLE, ' ')}\n`)

process.once('SIGINT', () => {
  report('Stopped. A started experiment continues on the server.')
  process.exit(EXIT_CODES.interrupted)
})
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof CliError)) throw error
  report(error.message)
  process.exitCode = error.exitCode
}

async function run(args: readonly string[]): Promise<number> {
  const options = parseCommandLine(args, process.env)
  if (options === 'help') return print(HELP)
  if (options === 'version') return print(`${readVersion()}\n`)
  const client = createConsoleClient(options, { report })
  if (options.command === 'pull') return printFiles([await pullSuite(client, options)], options)
  if (options.command === 'push') {
    const results: FileCommandResult[] = []
    for (const path of options.sources) results.push(await pushFile(client, path, options))
    return printFiles(results, options)
  }
  for (const option of REPORTS) {
    const path = options[option]
    if (path !== null) requireFilePath(`--${option}`, path)
  }
  const evaluations: Evaluation[] = []
  try {
    for await (const evaluation of evaluateSuites(client, options, report)) evaluations.push(evaluation)
  } finally {
    // Those that ended before a failure are reported, too.
    if (evaluations.length > 0) printEvaluations(evaluations, options)
  }
  return evaluations.every(({ gate }) => gate.held) ? EXIT_CODES.held : EXIT_CODES.gateFailed
}

/** In the package it is in the same folder as this file, in a checkout at the root. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT_CODES.held
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(INVISIBLE, escapeCharacter)}\n`
}

function escapeCharacter(character: string): string {
  const codeUnits = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return codeUnits.map((codeUnit) => `\\u${codeUnit.toString(16).padStart(4, '0')}`).join('')
}

function printFiles(results: readonly FileCommandResult[], { output }: CommandLine): number {
  if (output === 'json') return print(toJson(results))
  const lines = results.map(
    ({ file, suite, revision, result }) => `${file}: ${result} (suite ${suite}, revision ${revision})\n`,
  )
  return print(lines.join(''))
}

/** @throws CliError where a report cannot be written; stdout and the other reports are written by then */
function printEvaluations(evaluations: readonly Evaluation[], options: CommandLine): void {
  print(options.output === 'json' ? toJson(evaluations) : toTextReport(evaluations))
  const failures = REPORTS.flatMap((report) => {
    const path = options[report]
    return path === null ? [] : (writeReport(report, path, evaluations) ?? [])
  })
  if (failures.length > 0) throw new CliError(failures.join('\n'))
}

function writeReport(
  report: (typeof REPORTS)[number],
  path: string,
  evaluations: readonly Evaluation[],
): string | null {
  const toText = { junit: toJunitXml, json: toJson, markdown: toMarkdown }[report]
  // GitHub shows what all steps have added to that file.
  const write = report === 'markdown' && path === process.env.GITHUB_STEP_SUMMARY ? appendTextFile : writeTextFile
  try {
    write(path, toText(evaluations))
    return null
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return error.message
  }
}
