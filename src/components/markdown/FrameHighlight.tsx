import { type ComponentProps, useEffect, useRef } from 'react'
import classes from './MarkdownBlock.module.css'

/** Highlighted text with the number of its frame. It scrolls into view. */
export function FrameHighlight(props: ComponentProps<'mark'>) {
  const { children, ...rest } = props as ComponentProps<'mark'> & Record<`data-${string}`, unknown>
  const seq = Number(rest['data-frame'])
  const isFirst = Boolean(rest['data-first'])
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isFirst) return
    mark.current?.dispatchEvent(new Event(REVEAL_EVENT, { bubbles: true }))
    mark.current?.scrollIntoView({ block: 'nearest' })
  }, [isFirst, seq])
  return (
    <mark
      ref={mark}
      className={classes.mark}
      data-at={rest['data-at'] as number}
      data-after={rest['data-after'] as number}
    >
      {children}
      {rest['data-last'] ? (
        <sup aria-hidden="true" className={classes.markNumber}>
          #{seq}
        </sup>
      ) : null}
    </mark>
  )
}

/** Sent by an element before it scrolls into view because a person chose it. */
export const REVEAL_EVENT = 'reveal'
