const WORD_PATTERN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+(?:['’_-][\p{L}\p{N}\p{M}]+)*/gu

/** `word_count`: words, and in scripts without blanks characters, as word processors count them. */
export function countWords(text: string): number {
  let count = 0
  for (const _ of text.matchAll(WORD_PATTERN)) count++
  return count
}
