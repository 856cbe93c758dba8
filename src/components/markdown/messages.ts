/** Words around an answer's markdown. */
export const markdownMessages = {
  source: 'Source {position}',
  image: 'Image: {alt}',
  unnamed: 'untitled',
  table: 'Table',
  thinking: 'Thinking',
  thought: 'Thoughts',
  code: 'code',
  text: 'plain text',
  codeIn: 'Code, {language}',
  copy: 'Copy',
  copied: 'Copied',
  tooLarge: 'This block is shown as plain text because it is too large or too complex.',
  renderAnyway: 'Render anyway',
  rendering: 'Rendering…',
  plainUntilComplete: 'This block is shown as plain text until it is complete.',
  notRendered: 'This block is shown as plain text because rendering it failed or took too long.',
}
