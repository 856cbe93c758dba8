import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the filters of a list of calls. */
export const callFilterMessages = {
  resource: 'Id',
  filter: 'Filter',
  filtered: 'Filter, {count} set',
  anyKind: sharedTexts.anyKind,
  anyState: sharedTexts.anyState,
  anyApp: 'any app',
  origin: sharedTexts.startedFrom,
  anyOrigin: 'anywhere',
  tag: sharedTexts.tag,
  version: sharedTexts.version,
  conversation: sharedTexts.conversation,
  error: sharedTexts.error,
  from: 'From',
  timeExample: sharedTexts.dateExample,
  noTime: sharedTexts.dateInvalid,
  anyTime: sharedTexts.anyTime,
  lastHour: sharedTexts.inLastHour,
  lastDay: sharedTexts.inLast24Hours,
  lastWeek: sharedTexts.inLast7Days,
  chosenTime: sharedTexts.custom,
  remove: 'Remove filter {name} {value}',
}
