import { useState } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import type { BlockCost } from './blocks/blockCost.ts'
import { BlockTree } from './BlockTree.tsx'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { PlainBlock, type PlainBlockProps } from './PlainBlock.tsx'
import { useParsedBlock } from './useParsedBlock.ts'

interface LargeBlockProps extends Omit<PlainBlockProps, 'note'> {
  /** True while the block may still grow. */
  open: boolean
  way: BlockCost['way']
}

/** A block that is too expensive for the main thread: plain text until a worker has parsed it within its limits. */
export function LargeBlock({ open, way, ...block }: LargeBlockProps) {
  const t = useMessages(markdownMessages)
  const [isAsked, setAsked] = useState(false)
  const isWanted = !open && (isAsked || way === 'worker')
  const parsed = useParsedBlock(block, isWanted)
  if (parsed)
    return <BlockTree parsed={parsed} end={block.start + block.text.length} marked={block.marked} mark={block.mark} />
  if (parsed === null) return <PlainBlock {...block} note={t('notRendered')} />
  if (isWanted) return <PlainBlock {...block} note={t('rendering')} />
  if (way === 'worker') return <PlainBlock {...block} note={t('plainUntilComplete')} />
  const button = (
    <button type="button" className={classes.render} onClick={() => setAsked(true)}>
      {t('renderAnyway')}
    </button>
  )
  return (
    <PlainBlock
      {...block}
      note={
        <>
          {t('tooLarge')} {open ? null : button}
        </>
      }
    />
  )
}
