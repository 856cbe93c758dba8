import { sharedTexts } from '../i18n/sharedTexts.ts'

/** Texts around an answer's markdown. */
export const markdownMessages = {
  source: 'Source {position}',
  image: 'Image: {alt}',
  imageNotLoaded: 'could not be loaded',
  loadImage: 'Load image',
  loadImageWhy: 'The server loads it from {host}, which can learn from the URL what the conversation is about.',
  formulaInvalid: 'Shown as source, because it is not valid LaTeX or too large.',
  details: 'Details',
  thinking: 'Thinking',
  thought: sharedTexts.thoughts,
  code: 'code',
  text: 'plain text',
  codeIn: 'Code, {language}',
  tooLarge: 'This block is shown as plain text because it is too large or too complex.',
  renderAnyway: 'Render anyway',
  rendering: 'Rendering…',
  plainUntilComplete: 'This block is shown as plain text until it is complete.',
  notRendered: 'This block is shown as plain text because rendering it failed or took too long.',
}
