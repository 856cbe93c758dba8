import { type RefObject, useEffect, useRef } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { ChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './ChunkLab.module.css'
import type { LabChunk } from './worker/labChunking.ts'
import { collectWarnings } from './worker/chunkStats.ts'
import { chunkLabMessages } from './messages.ts'

interface ChunkedTextProps {
  label: string
  text: string
  chunks: readonly LabChunk[]
  measure: ChunkMeasure
  /** Scrolls together with the other lists of the group, under this name. */
  name: string
  scrollGroup: ScrollGroup
  ref: RefObject<VListHandle | null>
}

/** The text with its boundaries: one block a segment, the ranges of its children in it, what it repeats paler. */
export function ChunkedText({ label, text, chunks, measure, name, scrollGroup, ref }: ChunkedTextProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      scrollGroup.join(name, (textOffset) => {
        const index = chunks.findLastIndex(({ start }) => start <= textOffset)
        ref.current?.scrollToIndex(Math.max(0, index), { align: 'start' })
      }),
    [scrollGroup, name, chunks, ref],
  )
  // Only the list under the pointer or with the focus leads: the others scroll because of it.
  const lead = () => {
    if (!box.current?.matches(':hover, :focus-within') || !ref.current) return
    const top = chunks[ref.current.findItemIndex(ref.current.scrollOffset + 1)]
    if (top) scrollGroup.lead(name, top.start)
  }
  return (
    <div ref={box} className={classes.text} role="region" aria-label={label} tabIndex={0}>
      <VList ref={ref} data={chunks as LabChunk[]} itemSize={180} bufferSize={400} onScroll={lead}>
        {(chunk, index) => (
          <ChunkBlock
            key={index}
            number={index + 1}
            text={text}
            chunk={chunk}
            measure={measure}
            before={chunks[index - 1]}
          />
        )}
      </VList>
    </div>
  )
}

interface ChunkBlockProps {
  number: number
  text: string
  chunk: LabChunk
  measure: ChunkMeasure
  before: LabChunk | undefined
}

function ChunkBlock({ number, text, chunk, measure, before }: ChunkBlockProps) {
  const t = useMessages(chunkLabMessages)
  const { start, end, tokens, children } = chunk
  const repeated = Math.max(0, Math.min(end, before?.end ?? 0) - start)
  return (
    <article className={classes.block} data-odd={number % 2 === 1 || undefined}>
      <header>
        <b>{number}</b>
        <span>{t(`sizeOf.${measure}`, { n: tokens })}</span>
        {children.length > 0 ? <span>{t('childrenOf', { n: children.length })}</span> : null}
        {repeated > 0 ? <span>{t('repeated', { n: repeated })}</span> : null}
        {collectWarnings(chunk).map((warning) => (
          <i key={warning} className={classes.warning} data-warning={warning}>
            {t(warning)}
          </i>
        ))}
      </header>
      <p dir="auto">
        {children.length === 0 ? (
          <>
            {repeated > 0 ? <span className={classes.repeated}>{text.slice(start, start + repeated)}</span> : null}
            {text.slice(start + repeated, end)}
          </>
        ) : (
          <NestedChunks text={text} chunk={chunk} />
        )}
      </p>
    </article>
  )
}

/** Children in their parent: each with a raised number and a line of its own weight; what none holds stays bare. */
function NestedChunks({ text, chunk }: { text: string; chunk: LabChunk }) {
  const parts = []
  let from = chunk.start
  for (const [index, child] of chunk.children.entries()) {
    if (child.start > from) parts.push(text.slice(from, child.start))
    const begin = Math.max(from, child.start)
    parts.push(
      <span key={index} className={classes.child} data-odd={index % 2 === 0 || undefined}>
        <sup>{index + 1}</sup>
        {text.slice(begin, child.end)}
      </span>,
    )
    from = child.end
  }
  parts.push(text.slice(from, chunk.end))
  return parts
}

/** Lists of the same text that scroll together: where one is, the others follow. */
export class ScrollGroup {
  readonly #followers = new Map<string, (textOffset: number) => void>()

  /** @returns the way out of the group. */
  join(name: string, follow: (textOffset: number) => void): () => void {
    this.#followers.set(name, follow)
    return () => void this.#followers.delete(name)
  }

  lead(name: string, textOffset: number): void {
    for (const [other, follow] of this.#followers) if (other !== name) follow(textOffset)
  }
}
