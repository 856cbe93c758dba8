import type { Problem } from '#contract/problem.ts'

/** The exit codes, which scripts rely on. `interrupted` is that of a shell for a program that SIGINT has ended. */
export const EXIT_CODES = {
  held: 0,
  failed: 1,
  usage: 2,
  denied: 4,
  rateLimited: 7,
  gateFailed: 100,
  interrupted: 130,
} as const

/** What ends the command: a message for people, and its exit code. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT_CODES.failed) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

export const usageError = (message: string) => new CliError(message, EXIT_CODES.usage)

export function toCliError({ kind, message, status, id }: Problem): CliError {
  const text = id ? `${message} (${id})` : message
  if (status === 429) return new CliError(text, EXIT_CODES.rateLimited)
  return new CliError(text, kind === 'denied' ? EXIT_CODES.denied : EXIT_CODES.failed)
}
