/** Words of the chunk lab's own page. */
export const labPageWords = {
  title: 'Chunk lab',
  text: 'Text to cut',
}
