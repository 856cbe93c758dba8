import { toSearchKey } from '../searchKey.ts'

/** The kinds of documents that are read as question-and-answer rows. */
export const TABLE_KINDS: readonly string[] = ['csv', 'tsv', 'xlsx']
/** Names of the question column: English, Chinese, Japanese, Korean, German, French, Spanish; most likely first. */
const QUESTION_NAMES =
  'query question q prompt ask 问题 提问 问 问句 問題 提問 問 質問 質問文 問い 질문 문의 frage pregunta'.split(' ')
/** Names of that column in a table that holds only questions. */
const GENERAL_QUESTION_NAMES = 'userinput input message utterance turn text'.split(' ')
const ANSWER_NAMES =
  'answer a reply response 答案 回答 回复 答复 答 回覆 答覆 解答 回答文 返答 答え 답변 대답 답 antwort reponse respuesta'.split(
    ' ',
  )

/** Without case, accents, blanks and punctuation. */
export const normalizeColumnName = (name: string): string => toSearchKey(name).replace(/[\s_\-.:?？]+/g, '')

/** Whether a normalized name is in the list, or is its plural in English, French, Spanish or German. */
const isAmong = (names: readonly string[], name: string): boolean =>
  (name.length > 3 ? ['', 's', 'n', 'en'] : ['']).some((ending) => names.some((known) => known + ending === name))

/** The role of a column of this name in a table of questions and answers. */
export function getColumnMeaning(name: string): 'question' | 'answer' | null {
  const normalized = normalizeColumnName(name)
  if (isAmong(QUESTION_NAMES, normalized)) return 'question'
  return isAmong(ANSWER_NAMES, normalized) ? 'answer' : null
}

const QUESTION_WITH_TURN = /^(?:user)?(.*?)(\d{0,2})$/

/** The number after the name of a question: its turn, 1 without a number; null for other names. */
export function findQuestionTurn(name: string): number | null {
  const [, question = '', turn] = QUESTION_WITH_TURN.exec(normalizeColumnName(name)) ?? []
  return isAmong([...QUESTION_NAMES, ...GENERAL_QUESTION_NAMES], question) ? Number(turn || 1) : null
}

/** The most likely question column. */
export const findQuestionName = (names: readonly string[]): string | null =>
  [...QUESTION_NAMES, ...GENERAL_QUESTION_NAMES]
    .map((known) => names.find((name) => isAmong([known], normalizeColumnName(name))))
    .find((name) => name !== undefined) ?? null

/** The question and answer columns; null if no names match. */
export function findPairColumns(heads: readonly string[]): { question: number; answer: number } | null {
  const meanings = heads.map(getColumnMeaning)
  const answer = meanings.indexOf('answer')
  const found = meanings.indexOf('question')
  // The question column in an export of segments, which has an answer column as well.
  const question = found < 0 ? heads.indexOf('content') : found
  return answer < 0 || question < 0 ? null : { question, answer }
}
