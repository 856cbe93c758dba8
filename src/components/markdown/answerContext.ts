import { createContext, type ReactNode } from 'react'

/** How the pictures and files of an answer are loaded: only through the server. */
export interface AnswerFileSource {
  /** The URL of a file in the answer; null if it is not a file. */
  toUrl: (given: string) => URL | null
  /** Whether it is loaded unasked: only the platform's own files are. */
  isTrusted: (url: URL) => boolean
  /** The path of a file at our server. */
  toPath: (given: string, download?: string) => string
}

/** What the parts of an answer need of the whole. It is a context so that finished blocks are not parsed again. */
export interface AnswerContextValue {
  caret: ReactNode
  citations: readonly number[] | undefined
  onCite: ((position: number) => void) | undefined
  /** Null while the answer grows, or where no server has its run: pictures are links then. */
  fileSource: AnswerFileSource | null
}

/** True within a link, because links cannot nest. */
export const LinkContext = createContext(false)

export const AnswerContext = createContext<AnswerContextValue>({
  caret: undefined,
  citations: undefined,
  onCite: undefined,
  fileSource: null,
})
