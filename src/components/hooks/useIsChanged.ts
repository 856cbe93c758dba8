import { useState } from 'react'

/** Whether the input of a form differs from what it was first. The input is plain JSON. */
export function useIsChanged(input: unknown): boolean {
  const text = JSON.stringify(input)
  const [initialText] = useState(text)
  return text !== initialText
}
