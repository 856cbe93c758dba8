import { sharedTexts } from '../../i18n/sharedTexts.ts'

/** Texts of the comparison of two texts. */
export const textDiffMessages = {
  diff: 'Changes',
  diffCharacters: sharedTexts.characters,
  notCompared: 'The comparison failed in this browser.',
  tooDifferent: 'Too different for a comparison of words.',
  compareWords: 'Compare anyway',
  textAfter: sharedTexts.after,
  sameText: sharedTexts.noDifferences,
  comparedByLines: 'Compared line by line because the text is long.',
  comparedByEnds: 'The texts are too long or too different: only their common beginning and end are marked.',
  moreUnchanged: '{count, number} more unchanged characters. Show',
  moreCharacters: '{count, number} more characters. Show',
}
