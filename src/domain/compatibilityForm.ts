/** Marks on one character, and those that become marks. The engine sorts each run of them in quadratic time. */
const LONG_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu

/** A character has at most 30 marks (UAX #15, Stream-Safe Text Format), so that any text takes linear time. */
export const toNormalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(LONG_MARKS, '$1').normalize(form)

/** Characters that look the same are the same. */
export const toCompatibilityForm = (text: string): string => toNormalForm(text, 'NFKC')
