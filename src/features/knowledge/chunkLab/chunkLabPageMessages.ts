/** Texts of the chunk lab's own page. */
export const chunkLabPageMessages = {
  text: 'Text to split',
}
