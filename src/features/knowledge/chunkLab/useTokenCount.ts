import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'

/** How many tokens a text has, about (o200k_base), counted in the worker when the keys have rested; null until then. */
export function useTokenCount(text: string): number | null {
  const [debouncedText] = useDebouncedValue(text, 200)
  const [counted, setCounted] = useState<{ text: string; tokens: number } | null>(null)
  useEffect(
    () =>
      requestFromLabWorker({ kind: 'count', text: debouncedText }, (response) => {
        if (response.kind === 'count') setCounted({ text: debouncedText, tokens: response.tokens })
      }),
    [debouncedText],
  )
  return counted?.text === text ? counted.tokens : null
}
