/** Marks that stand on one character, and those which become marks. The engine sorts each run of them in quadratic time. */
const LONG_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu

/** NFKC: characters that look the same are the same. A character has at most 30 marks (UAX #15, Stream-Safe Text Format). */
export const toCompatibilityForm = (text: string): string => text.replace(LONG_MARKS, '$1').normalize('NFKC')
