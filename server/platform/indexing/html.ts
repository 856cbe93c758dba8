import { parse } from 'parse5'
import { type PageNode, textOfPage } from '#contract/cutting/page.ts'

/** The text of an HTML page as it would be read. */
export const htmlText = (html: string): string => textOfPage(parse(html) as PageNode)
