/**
 * The text of a segment that is searched, embedded and compared: its content; in a Q&A dataset the question and its answer. The
 * same as the built-in platform's `PASSAGE_TEXT_SQL`.
 */
export const toPassageText = ({
  content,
  answer,
}: {
  content?: string | null | undefined
  answer?: string | null | undefined
}): string => [content ?? null, answer || null].filter((part) => part !== null).join('\n')
