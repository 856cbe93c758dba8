import type { Components } from 'react-markdown'
import { AnswerSpan } from './AnswerSpan.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { NestedFold } from './FoldBlock.tsx'
import { FrameHighlight } from './FrameHighlight.tsx'
import { MarkdownLink } from './MarkdownLink.tsx'
import { RemoteImage } from './RemoteImage.tsx'
import { ScrollTable } from './ScrollTable.tsx'

/** The page and the turn use the headings above: those of an answer begin at level 3. */
export const PARTS: Components = {
  a: MarkdownLink,
  details: NestedFold,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  img: RemoteImage,
  mark: FrameHighlight,
  pre: CodeBlock,
  span: AnswerSpan,
  table: ScrollTable,
}
