/** Bytes that a file may have, and bytes (of a PDF: characters) that may be packed in it. */
export const MAX_LAB_FILE_BYTES = 30 * 1024 * 1024
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
export const MAX_ARCHIVE_FILES = 5_000
/** What the lab reads, by the end of the name. */
export const READABLE_EXTENSIONS = ['.txt', '.md', '.html', '.csv', '.pdf', '.docx']
