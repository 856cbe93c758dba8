import { truncateText } from '#contract/truncatedText.ts'

/** Text as a column can hold it: a NUL, the one character that PostgreSQL refuses, is replaced, and it ends at `length`. */
export const toStorableText = (text: string | null | undefined, length: number): string | null =>
  text === null || text === undefined ? null : truncateText(text.replaceAll('\0', '\uFFFD'), length)
