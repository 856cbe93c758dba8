import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'

/** Texts of the fields that say how passages are found. */
export const retrievalModelMessages = {
  platformChooses: sharedTexts.platformDefault,
  noModelsListed: 'The platform lists no models.',
  modelHelp: 'Model name at the platform',
  modelsListed: 'Models listed by the platform',
  notListed: '{model}, not listed by the platform',
  providerHelp: 'organization/plugin/provider',
  methodHelp: 'How passages are found',
  economyMethodHelp: 'The only method that finds anything in an economy dataset. It is always sent.',
  topKHelp: '1 to 100',
  weightsHelp: 'Weight of semantic similarity in a hybrid search. Keywords get the rest.',
  weightsIdle: 'Weights have no effect with {method}.',
  thresholdHelp: 'Results below this score are omitted.',
  keywordEnd: 'keywords',
  meaningEnd: 'semantics',
  unset: sharedTexts.notSet,
  unsetDo: sharedTexts.clear,
  speech: sharedTexts.format,
  speechHelp: 'The documented API and the upstream platform differ in weights, reranking_mode and partial_member_list.',
  speechHeard: 'detected: {speech}',
  interface: 'documented (weights is a number)',
  upstream: 'upstream (weights is an object)',
  unheard: 'not detected yet, documented format',
}
