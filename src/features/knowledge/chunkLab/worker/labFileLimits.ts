/** Bytes that a file may have. */
export const MAX_LAB_FILE_BYTES = 30 * 1024 * 1024
