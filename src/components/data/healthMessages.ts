import { sharedTexts } from '../i18n/sharedTexts.ts'

/** Texts of the health of a key. */
export const healthMessages = {
  health_untested: 'never tested',
  health_healthy: 'healthy',
  health_unreachable: 'unreachable',
  health_refused: sharedTexts.refused,
  health_wrong_kind: 'wrong kind',
  health_app_unavailable: 'app unavailable',
  healthSince: 'since <since></since>',
  unreachableKey: '{label}: the platform has been unreachable since <since></since>. “{message}”',
  refusedKey: '{label}: refused by the platform (401) since <since></since>. “{message}”',
  wrong_kindKey: '{label}: a key of the wrong kind since <since></since>. “{message}”',
  app_unavailableKey: '{label}: its app has been unavailable since <since></since>. “{message}”',
}
