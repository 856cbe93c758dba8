import { memo, type ReactNode, useEffect, useMemo, useState, useTransition } from 'react'
import { type Block as TextBlock, type Blocks, cutBlocks, hasDefinitions, noBlocks } from './markdown/blocks.ts'
import { Block } from './markdown/Block.tsx'
import { AnswerContext, type Answer } from './markdown/context.ts'
import classes from './markdown/Markdown.module.css'
import { markIn, type WordMark } from './markdown/words.ts'

const GROUP = 4

export interface MarkdownProps {
  text: string
  /** True while the text grows: its last block is parsed at each change, the finished ones never again. */
  live: boolean
  /** Stands behind the last word: a caret, or where the text was cut. */
  end?: ReactNode
  /** The positions that `[n]` may cite, and what choosing one does. */
  citations?: readonly number[]
  onCite?: (position: number) => void
  /** The words that have the marker. */
  mark?: WordMark | null
}

/** Text that a model wrote, as markdown. Nothing in it loads or runs; raw HTML is shown as text. */
export function Markdown({ text: given, live, end, citations, onCite, mark = null }: MarkdownProps) {
  const text = useInSlices(given, live)
  const [kept, keep] = useState(noBlocks)
  const cut = cutBlocks(kept, text)
  if (cut !== kept) keep(cut)
  const blocks = !live && hasDefinitions(text) ? wholeOf(text) : cut
  const answer = useMemo<Answer>(() => ({ end, citations, onCite }), [end, citations, onCite])
  const groups = Math.ceil(blocks.done.length / GROUP)
  return (
    <AnswerContext value={answer}>
      <div className={classes.markdown}>
        {Array.from({ length: groups }, (_, index) => {
          const group = blocks.done.slice(index * GROUP, (index + 1) * GROUP)
          return <Group key={index} blocks={group} mark={markIn(group, mark)} />
        })}
        <div className={classes.group}>
          <Block
            key={blocks.done.length}
            block={blocks.open}
            open={live}
            marked={end !== undefined}
            mark={markIn([blocks.open], mark)}
          />
        </div>
      </div>
    </AnswerContext>
  )
}

/**
 * A text that grows, as far as it is drawn. Drawing it is cut into slices between which the page draws and answers, and the
 * next piece waits until the last one stands: a slow machine draws larger pieces, not fewer pictures.
 */
function useInSlices(text: string, live: boolean): string {
  const [drawn, setDrawn] = useState(text)
  const [isDrawing, start] = useTransition()
  useEffect(() => {
    if (live && !isDrawing && drawn !== text) start(() => setDrawn(text))
  }, [live, isDrawing, drawn, text])
  return live ? drawn : text
}

/** Finished blocks stand in groups, so that a long answer compares a few groups at each frame and not hundreds of blocks. */
const Group = memo(
  function Group({ blocks, mark }: { blocks: readonly TextBlock[]; mark: WordMark | null }) {
    return (
      <div className={classes.group} data-whole={blocks.length === GROUP || undefined}>
        {blocks.map((block, index) => (
          <Block key={index} block={block} open={false} marked={false} mark={markIn([block], mark)} />
        ))}
      </div>
    )
  },
  (before, after) =>
    before.mark === after.mark &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
)

const wholeOf = (text: string): Blocks => ({ ...noBlocks, text: '', open: { kind: 'markdown', text, start: 0 } })
