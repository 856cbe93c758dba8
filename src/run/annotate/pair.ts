import type { Turn } from '../turn.ts'
import type { Pair } from './AnnotationForm.tsx'

/** What an annotation of this answer begins with. A completion asks by its inputs: their words, one input a line. */
export function pairOf({ entry, question, answer }: Turn): Pair {
  const words = Object.values(question.inputs).filter((value) => typeof value === 'string' && value.trim() !== '')
  return { question: entry === 'chat.send' ? question.query : words.join('\n'), answer: answer.text }
}
