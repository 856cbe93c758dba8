import type { ComponentProps } from 'react'
import type { ExtraProps } from 'react-markdown'
import type { HastNode } from './pipeline/htmlTree.ts'

const MAX_LEADING_CHARS = 100
const RTL_PATTERN = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u

/** Lists whose first letter is written from right to left have their markers at the right. */
export const BulletList = ({ node, ...props }: ComponentProps<'ul'> & ExtraProps) => (
  <ul dir={getDirection(node as HastNode)} {...props} />
)

export const NumberedList = ({ node, ...props }: ComponentProps<'ol'> & ExtraProps) => (
  <ol dir={getDirection(node as HastNode)} {...props} />
)

const getDirection = (node: HastNode) => (RTL_PATTERN.test(readLeadingText(node)) ? 'rtl' : undefined)

function readLeadingText(node: HastNode): string {
  let text = node.value ?? ''
  for (const child of node.children ?? []) {
    if (text.length >= MAX_LEADING_CHARS) break
    text += readLeadingText(child)
  }
  return text.slice(0, MAX_LEADING_CHARS)
}
