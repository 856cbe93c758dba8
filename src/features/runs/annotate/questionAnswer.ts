import type { Turn } from '../turn.ts'
import type { QuestionAnswer } from './AnnotationForm.tsx'

/** The initial values of an annotation. A completion's question is its inputs, one per line. */
export function toQuestionAnswer({ entry, question, answer }: Turn): QuestionAnswer {
  const words = Object.values(question.inputs).filter((value) => typeof value === 'string' && value.trim() !== '')
  return { question: entry === 'chat.send' ? question.query : words.join('\n'), answer: answer.text }
}
