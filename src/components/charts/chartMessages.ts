import { sharedTexts } from '../i18n/sharedTexts.ts'

/** Texts of charts. */
export const chartMessages = {
  measure: sharedTexts.metric,
  asTable: 'As a table',
  asChart: 'As a chart',
  tableOf: '{name}, newest first',
  total: 'Total',
  noData: 'No data for this period.',
  chartOf: '{name}: {summary}. Use the arrow keys to move along it.',
}
