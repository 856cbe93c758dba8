const UNIQUE_VIOLATION = '23505'

/** Whether a statement failed because a unique index contains the value. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION
