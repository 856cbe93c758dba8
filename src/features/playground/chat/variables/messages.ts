import { sharedTexts } from '../../../../components/i18n/sharedTexts.ts'

/** Texts of the variables of a conversation. */
export const variableMessages = {
  listWhat: 'list the variables of the conversation',
  none: 'This conversation has no variables.',
  noneWhy: 'The chatflow declares them. They keep values between the messages of a conversation.',
  truncated: 'Only the first {count} variables are shown.',
  emptyText: 'empty text',
  notSet: sharedTexts.notSet,
  updated: sharedTexts.updated,
  valueOf: 'Value of {name}',
  editValue: sharedTexts.editName,
  saveWhat: 'save the value',
  saveKeys: '{modifier} + Enter saves, Esc cancels.',
  roundedNumber: 'Contains a number that this browser would round. Use a newer browser to save it.',
  mustBeNumber: sharedTexts.mustBeANumber,
  mustBeInteger: 'Must be an integer.',
  mustBeJson: 'Must be valid JSON. {reason}',
  mustBeObject: sharedTexts.mustBeAJsonObject,
  mustBeArray: 'Must be a JSON array.',
  mustBeItems: 'Each item must be of the type {type}. Item {position} is not.',
}
