import type { ElementType, Key, ReactElement, ReactNode } from 'react'
import * as runtime from 'react/jsx-runtime'

/**
 * React's JSX runtime for all components of the browser app, those of packages too (`boundTextRuns` in `vite.config.ts`).
 * Layout time grows with the square of a run without a space (a word, base64, marks on one letter), so that one long run
 * freezes the page. Longer runs than this get an opportunity for a line break; copying and searching ignore it.
 */
const MAX_RUN_CHARS = 500
const LONG_RUN = new RegExp(`((?<![^ \\t\\n])[^ \\t\\n]{${MAX_RUN_CHARS + 1},})`)
const RUN_PIECE = new RegExp(`.{1,${MAX_RUN_CHARS}}`, 'gsu')
/** Unlike `<wbr>` it breaks no line where `white-space` is `nowrap`. */
const LINE_BREAK = runtime.jsx('span', { style: { display: 'inline-block' } })
/** They cannot contain a `<span>`. A component may also require a string: its own element bounds the text. */
const TEXT_ONLY = new Set<unknown>(['option', 'script', 'style', 'text', 'textarea', 'title', 'tspan'])
/** A field cannot contain a break: it scrolls sideways, and marks are not positioned. */
const LONG_FIELD = { wrap: 'off', style: { fontFeatureSettings: '"mark" 0, "mkmk" 0' } }

interface Props {
  children?: ReactNode
  value?: unknown
  defaultValue?: unknown
  style?: object
}

export const { Fragment } = runtime

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  runtime.jsx(type, boundProps(type, props), key)

export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement =>
  runtime.jsxs(type, boundProps(type, props), key)

function boundProps(type: unknown, props: Props): Props {
  if (type === 'textarea' || type === 'input') {
    if (!hasLongRun(props.value ?? props.defaultValue)) return props
    return { ...props, ...LONG_FIELD, style: { ...props.style, ...LONG_FIELD.style } }
  }
  if (typeof type === 'function' || TEXT_ONLY.has(type)) return props
  const children = boundText(props.children)
  return children === props.children ? props : { ...props, children }
}

function boundText(children: ReactNode, key?: number): ReactNode {
  if (Array.isArray(children)) {
    const bounded = (children as ReactNode[]).map(boundText)
    return bounded.some((child, index) => child !== children[index]) ? bounded : children
  }
  if (!hasLongRun(children)) return children
  // One element, for a flexible box makes an item of each.
  return runtime.jsxs('span', { children: children.split(LONG_RUN).flatMap(breakRun) }, key)
}

const hasLongRun = (text: unknown): text is string =>
  typeof text === 'string' && text.length > MAX_RUN_CHARS && LONG_RUN.test(text)

/** The odd parts are the long runs. */
const breakRun = (part: string, index: number): ReactNode[] =>
  index % 2 === 0 ? [part] : (part.match(RUN_PIECE) ?? []).flatMap((piece) => [piece, LINE_BREAK])
