import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'

export const ROOT_FOLDER = dirname(import.meta.dirname)

export interface CommandResult {
  ok: boolean
  /** What it wrote to its standard output, and both its outputs as they came. */
  stdout: string
  output: string
}

/** A command that takes longer than this hangs, on a slow machine too. */
const COMMAND_TIMEOUT_MS = 60 * 60_000

/** What Node has compiled once it need not compile again, in each of the many processes of the tests. As `server/start.mjs`. */
const COMPILE_CACHE_FOLDER = join(ROOT_FOLDER, 'node_modules/.cache/loupe')

/** Runs a command of node_modules or of the system, in the repository if nowhere else, under the Node that runs this. */
export function runCommand(
  command: string,
  args: string[],
  { env = {}, cwd = ROOT_FOLDER }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<CommandResult> {
  const path = [dirname(process.execPath), join(ROOT_FOLDER, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER, ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, stdout, output: `${output}${command}: ${error.message}` }))
    child.once('close', (code, signal) => {
      const cut = signal ? `\n${command} was ended by ${signal} (limit ${COMMAND_TIMEOUT_MS / 60_000} minutes)` : ''
      resolve({ ok: code === 0, stdout, output: output.trim() + cut })
    })
  })
}
