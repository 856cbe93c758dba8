/** Why a file cannot be read: an unsupported kind, its size, or a fault. */
export type UnreadableReason = 'unsupported' | 'tooLarge' | 'faulty'

/** A file that cannot be read. The message tells a person what is wrong, and what to do. */
export class UnreadableFileError extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason, message: string) {
    super(message)
    this.reason = reason
  }
}
