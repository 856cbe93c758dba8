import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { ask } from './thread.ts'

/** How many tokens a text has, about (o200k_base), counted in the worker when the keys have rested; null until then. */
export function useTokens(text: string): number | null {
  const [rested] = useDebouncedValue(text, 200)
  const [counted, setCounted] = useState<{ text: string; tokens: number } | null>(null)
  useEffect(
    () =>
      ask({ kind: 'count', text: rested }, (told) => {
        if (told.kind === 'count') setCounted({ text: rested, tokens: told.tokens })
      }),
    [rested],
  )
  return counted?.text === text ? counted.tokens : null
}
