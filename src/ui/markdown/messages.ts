/** Words around an answer's markdown. */
export const markdownWords = {
  source: 'Source {position}',
  image: 'Image: {alt}',
  unnamed: 'without a name',
  table: 'Table',
  thinking: 'Thinking',
  thought: 'Thoughts',
  code: 'code',
  text: 'plain text',
  codeIn: 'Code, {language}',
  copy: 'Copy',
  copied: 'Copied',
}
