import papaparse from 'papaparse'
import { isQuestionAnswerHeading, toReadableLines } from '#domain/chunking/tableRows.ts'

export interface QuestionAnswerPair {
  question: string
  answer: string
}

/**
 * Parses the questions and answers of a text in Q&A form: CSV rows `question,answer` (with or without that header), or
 * lines that begin with `Q:` and `A:` (`问：` and `答：`, `質問：` and `回答：`). Empty if the text is neither.
 */
export function extractPairs(text: string, extension: string): QuestionAnswerPair[] {
  const marked = extractMarkedPairs(text)
  if (marked.length > 0) return marked
  const firstLine = text.trimStart().split('\n', 1)[0] ?? ''
  return extension === 'csv' || isQuestionAnswerHeading(papaparse.parse<string[]>(firstLine).data[0] ?? [])
    ? extractCsvPairs(text)
    : []
}

const QUESTION_MARKER = /^\s*(?:#{1,6}\s*)?(?:Q|Question|问|问题|問|質問|提问)\s*\d{0,6}\s*[:：.．]\s*/i
const ANSWER_MARKER = /^\s*(?:A|Answer|答|答案|回答)\s*\d{0,6}\s*[:：.．]\s*/i

function extractMarkedPairs(text: string): QuestionAnswerPair[] {
  const pairs: { question: string[]; answer: string[] }[] = []
  let part: string[] | null = null
  for (const line of text.split('\n')) {
    if (QUESTION_MARKER.test(line)) {
      part = [line.replace(QUESTION_MARKER, '')]
      pairs.push({ question: part, answer: [] })
    } else if (ANSWER_MARKER.test(line) && pairs.length > 0) {
      part = pairs.at(-1)?.answer ?? null
      part?.push(line.replace(ANSWER_MARKER, ''))
    } else part?.push(line)
  }
  return pairs
    .map(({ question, answer }) => ({ question: question.join('\n').trim(), answer: answer.join('\n').trim() }))
    .filter(({ question, answer }) => question && answer)
}

function extractCsvPairs(text: string): QuestionAnswerPair[] {
  const rows = papaparse.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data
  const body = isQuestionAnswerHeading(rows[0] ?? []) ? rows.slice(1) : rows
  return body.flatMap(([question = '', answer = '']) =>
    question.trim() && answer.trim() ? [{ question: question.trim(), answer: answer.trim() }] : [],
  )
}

/** The rows of a CSV file as lines that can be read alone. */
export const toReadableRows = (text: string): string =>
  toReadableLines(papaparse.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data)
