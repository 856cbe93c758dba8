import { truncateText } from '#contract/truncatedText.ts'

/** Makes a text storable: NUL, which PostgreSQL rejects, is replaced, and the text is cut at `length`. */
export const toStorableText = (text: string | null | undefined, length: number): string | null =>
  text === null || text === undefined ? null : truncateText(text.replaceAll('\0', '\uFFFD'), length)
