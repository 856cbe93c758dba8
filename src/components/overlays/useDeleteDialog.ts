import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { findOpener } from '../hooks/useReturnFocus.ts'

export interface DeleteQuestion {
  /** The question, which names the resource. */
  title: string
  /** More about the resource, above the lists; may be a component that reads. */
  children?: ReactNode
  /** What is lost, with counts, and what is kept. An item may be a component that reads; an empty one is not shown. */
  lost?: readonly ReactNode[]
  kept?: readonly ReactNode[]
  /** The name that must be typed before; only for what takes everything with it. */
  typedName?: string
  /** Labels of the confirm and cancel buttons. */
  confirmLabel: string
  cancelLabel: string
  /** What failed, for the problem box: "delete the workspace". */
  action: string
  /**
   * Usually `() => write.mutateAsync({ params })`. The dialog is open until it has succeeded, and shows a `ProblemError`.
   * What follows belongs in the `onDone` of `useWrite`.
   */
  run: () => unknown
}

/** A question with the element that gets the focus back. */
export interface AskedQuestion extends DeleteQuestion {
  opener: HTMLElement | null
}

type SetAsked = (change: (asked: AskedQuestion | null) => AskedQuestion | null) => void

export const DeleteDialogContext = createContext<SetAsked>(() => {
  throw new Error('OverlayProvider is missing.')
})

/**
 * The one confirmation of everything that cannot be undone, as a function that asks. The dialog closes with the component
 * that asked. It loads with the first question.
 */
export function useDeleteDialog(): (question: DeleteQuestion) => void {
  const setAsked = useContext(DeleteDialogContext)
  const own = useRef<AskedQuestion | null>(null)
  useEffect(() => () => setAsked((asked) => (asked === own.current ? null : asked)), [setAsked])
  return (question) => {
    const asked = { ...question, opener: findOpener() }
    own.current = asked
    setAsked(() => asked)
  }
}
