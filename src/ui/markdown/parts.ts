import type { Components } from 'react-markdown'
import { CodeBlock } from './CodeBlock.tsx'
import { FrameMark } from './FrameMark.tsx'
import { Link } from './Link.tsx'
import { Mark } from './Mark.tsx'
import { RemoteImage } from './RemoteImage.tsx'
import { WideTable } from './WideTable.tsx'

/** The page and the turn have the headings above: an answer's begin at the third level. */
export const PARTS: Components = {
  a: Link,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  img: RemoteImage,
  mark: FrameMark,
  pre: CodeBlock,
  span: Mark,
  table: WideTable,
}
