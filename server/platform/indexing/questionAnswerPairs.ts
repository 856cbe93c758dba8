import type { ReadingLosses } from '#domain/documentReading/readingLoss.ts'
import { findPairColumns, TABLE_KINDS } from '#domain/tables/columnNames.ts'
import { readDelimitedTable } from '#domain/tables/delimitedTable.ts'
import type { Table } from '#domain/tables/table.ts'
import { hasText } from '#domain/chunking/cleanText.ts'
import { readStoredTables } from '#domain/tables/tableText.ts'

export interface QuestionAnswerPair {
  question: string
  answer: string
}

interface PairContext {
  /** Cleans a question or an answer. */
  clean: (text: string) => string
  losses: ReadingLosses
}

/**
 * The questions and answers of a document, with losses for text outside of pairs. A table has one pair per row. Other
 * text has lines that begin with `Q:` and `A:` (`问：` and `答：`, `質問：` and `回答：`), or is a table with such column
 * names. Empty if it is neither.
 */
export function extractPairs(text: string, extension: string, context: PairContext): QuestionAnswerPair[] {
  if (TABLE_KINDS.includes(extension))
    return readStoredTables(text, extension).flatMap((table) => toTablePairs(table, context))
  const [firstLine = ''] = text.trimStart().split('\n', 1)
  return findPairColumns(readDelimitedTable(firstLine).heads)
    ? toTablePairs(readDelimitedTable(text), context)
    : extractMarkedPairs(text, context)
}

/** By the names of the columns, else the first two columns, including the first row. */
function toTablePairs({ heads, head, rows }: Table, context: PairContext): QuestionAnswerPair[] {
  const named = findPairColumns(heads)
  const columns = named ?? { question: 0, answer: 1 }
  return (named || !head ? rows : [head, ...rows]).flatMap(({ number, cells }) => {
    const place = { unit: 'row', number } as const
    const others = cells.filter((cell, index) => cell.trim() && index !== columns.question && index !== columns.answer)
    context.losses.add('extra_cell', place, others.length)
    return toPair(cells[columns.question] ?? '', cells[columns.answer] ?? '', place, context)
  })
}

function toPair(
  question: string,
  answer: string,
  place: { unit: 'row' | 'line'; number: number },
  { clean, losses }: PairContext,
): QuestionAnswerPair[] {
  const pair = { question: clean(question).trim(), answer: clean(answer).trim() }
  if (hasText(pair.question) && hasText(pair.answer)) return [pair]
  if (hasText(pair.question + pair.answer))
    losses.add(hasText(pair.question) ? 'row_without_answer' : 'row_without_question', place)
  return []
}

const QUESTION_MARKER =
  /^\s*(?:#{1,6}\s*)?(?:Q|Question|问|问题|問|問題|質問|提问|질문)(?:\s*\d{1,6})?\s*([:：.．])\s*/i
const ANSWER_MARKER = /^\s*(?:#{1,6}\s*)?(?:A|Answer|答|答案|回答|답변)(?:\s*\d{1,6})?\s*([:：.．])\s*/i
const isDot = (mark = ''): boolean => mark === '.' || mark === '．'

/** A line with an answer marker is text if the question has its answer: `A.` may be an option, `A:` a quote. */
function extractMarkedPairs(text: string, context: PairContext): QuestionAnswerPair[] {
  const pairs: { line: number; hasDot: boolean; question: string[]; answer: string[] | null }[] = []
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const question = QUESTION_MARKER.exec(line)
    const open = pairs.at(-1)
    const answer = open?.answer ? null : ANSWER_MARKER.exec(line)
    if (question)
      pairs.push({
        line: index + 1,
        hasDot: isDot(question[1]),
        question: [line.slice(question[0].length)],
        answer: null,
      })
    else if (open && answer && (open.hasDot || !isDot(answer[1]))) open.answer = [line.slice(answer[0].length)]
    else if (open) (open.answer ?? open.question).push(line)
    else if (line.trim()) context.losses.add('text_outside_pairs', { unit: 'line', number: index + 1 })
  }
  return pairs.flatMap(({ line, question, answer }) =>
    toPair(question.join('\n'), answer?.join('\n') ?? '', { unit: 'line', number: line }, context),
  )
}
