/** Why a file is not read: its kind is not one of those, it is too large, or it has a fault. */
export type UnreadableReason = 'unsupported' | 'tooLarge' | 'faulty'

/** A file that is not read. The message says to a person what is wrong, and what would be right. */
export class UnreadableFileError extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason, message: string) {
    super(message)
    this.reason = reason
  }
}
