import { parse } from 'parse5'
import { type HtmlNode, htmlToText } from '#domain/chunking/htmlText.ts'

/** The text of an HTML page as it would be read. */
export const readHtmlText = (html: string): string => htmlToText(parse(html) as HtmlNode)
