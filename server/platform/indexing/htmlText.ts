import { parse } from 'parse5'
import { type HtmlNode, htmlToText } from '#domain/chunking/htmlText.ts'

/** The readable text of an HTML page. */
export const readHtmlText = (html: string): string => htmlToText(parse(html) as HtmlNode)
