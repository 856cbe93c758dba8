import { createContext, type ReactNode } from 'react'

/** What the parts of an answer need of the whole. It is a context so that finished blocks are not parsed again. */
export interface AnswerContextValue {
  caret: ReactNode
  citations: readonly number[] | undefined
  onCite: ((position: number) => void) | undefined
}

/** True within a link, because links cannot nest. */
export const LinkContext = createContext(false)

export const AnswerContext = createContext<AnswerContextValue>({
  caret: undefined,
  citations: undefined,
  onCite: undefined,
})
