/** Words of the chunk lab's own page. */
export const labPage = {
  title: 'Chunk lab',
  text: 'Text to cut',
}
