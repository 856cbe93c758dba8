/** The title of a test that is skipped, with the reason behind it: reports have no other place for it. */
export const toSkippedTitle = (title: string, reason: string): string => `${title} [skipped: ${reason}]`

/** The reason in a title that `skippedTitle` made, or null. */
export const parseSkipReason = (title: string): string | null => /\[skipped: (.*?)\](?= |$)/.exec(title)?.[1] ?? null
