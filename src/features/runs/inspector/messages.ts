import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the inspector's frame. */
export const inspectorMessages = {
  inspector: sharedTexts.inspector,
  closeInspector: 'Close the inspector',
  chooseAnswer: 'Choose an answer to inspect.',
}
