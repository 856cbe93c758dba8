/** Texts of the chunk lab's own page. */
export const chunkLabPageMessages = {
  text: 'Text to split',
  takeOverTo: 'New document in',
  takeOverHelp: '“Use for a new document” opens the form of this dataset with the setting.',
  foldedText: 'The text is hidden while a file is shown.',
}
