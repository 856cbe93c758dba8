/** Words of the chunk lab's own page. */
export const chunkLabPageMessages = {
  title: 'Chunk lab',
  text: 'Text to split',
}
