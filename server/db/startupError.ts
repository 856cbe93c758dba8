/**
 * Why the server does not start; the message is for the operator. Exit code 78 (`EX_CONFIG` of sysexits) tells a
 * supervisor not to restart.
 */
export class StartupError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode = 78) {
    super(message)
    this.name = 'StartupError'
    this.exitCode = exitCode
  }
}
