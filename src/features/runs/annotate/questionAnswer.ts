import type { Turn } from '../turn.ts'
import type { QuestionAnswer } from './AnnotationForm.tsx'

/** What an annotation of this answer begins with. A completion asks by its inputs: their words, one input a line. */
export function toQuestionAnswer({ entry, question, answer }: Turn): QuestionAnswer {
  const words = Object.values(question.inputs).filter((value) => typeof value === 'string' && value.trim() !== '')
  return { question: entry === 'chat.send' ? question.query : words.join('\n'), answer: answer.text }
}
