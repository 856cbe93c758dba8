import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { FrameHighlight } from '../FrameHighlight.tsx'
import { markdownMessages } from '../messages.ts'
import { getAnchorAttributes, getNodeText, type HastNode } from '../pipeline/htmlTree.ts'
import classes from './Formula.module.css'
import { formulaQueue } from './formulaQueue.ts'

/** A formula in an answer. Its source is shown until the library has loaded, and for invalid LaTeX. */
export function Formula({ node, children }: { node: HastNode; children: ReactNode }) {
  const t = useMessages(markdownMessages)
  const holder = useRef<HTMLSpanElement>(null)
  const { dataFormula, dataDisplay } = node.properties ?? {}
  const tex = String(dataFormula)
  const isDisplay = dataDisplay === true
  const [drawn, setDrawn] = useState<{ tex: string; isValid: boolean } | null>(null)
  useLayoutEffect(
    () =>
      formulaQueue.add((render) => {
        if (holder.current) setDrawn({ tex, isValid: render(holder.current, tex, isDisplay) })
      }),
    [tex, isDisplay],
  )
  const isShown = drawn?.tex === tex && drawn.isValid
  const source = getNodeText(node)
  const mark = findMark(node)
  const formula = (
    <span
      {...getAnchorAttributes(node)}
      className={isDisplay ? classes.display : classes.inline}
      data-formula={isShown ? 'rendered' : 'source'}
      dir="ltr"
      tabIndex={isDisplay ? 0 : undefined}
      title={drawn?.isValid === false ? t('formulaInvalid') : undefined}
    >
      {isShown ? null : mark ? source : children}
      <span ref={holder} role="math" aria-label={source} hidden={!isShown} />
    </span>
  )
  return mark ? <FrameHighlight {...toMarkProps(mark)}>{formula}</FrameHighlight> : formula
}

/** The first highlighted part of the source: the whole formula has the highlight then. */
const findMark = ({ children = [] }: HastNode): HastNode | undefined =>
  children.find(({ tagName }) => tagName === 'mark')

const toMarkProps = ({ properties = {} }: HastNode) => ({
  'data-frame': properties.dataFrame,
  'data-first': properties.dataFirst,
  'data-last': properties.dataLast,
})
