import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import type { Construct, Extension } from 'micromark-util-types'

const CJK_PUNCTUATION = String.raw`\u2014\u2018-\u201d\u2026\u3001-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`
const CJK_PATTERN = new RegExp(`[${CJK_PUNCTUATION}]`)
const CLOSING_PATTERN = new RegExp(String.raw`[${CJK_PUNCTUATION}:;,.!?%)\]}"']`)

/**
 * Emphasis next to Chinese, Japanese and Korean text. The library knows the letters; added is the end of bold text
 * between punctuation and a Latin letter or a digit (`**版本：**v2`, `__说明：__1`, `**버전:**v2`).
 */
export function emphasisSyntax(): Extension {
  const syntax = cjkFriendlyExtension()
  const asterisk = createConstruct(syntax.text?.[42] as Construct, CLOSING_PATTERN)
  const underscore = createConstruct(syntax.text?.[95] as Construct, CJK_PATTERN)
  return { ...syntax, text: { 42: asterisk, 95: underscore } }
}

function createConstruct(library: Construct, closing: RegExp): Construct {
  return {
    ...library,
    tokenize(effects, ok, nok) {
      const { previous } = this
      return library.tokenize.call(
        this,
        effects,
        (code) => {
          const run = this.events.at(-1)?.[1]
          if (run && isText(previous) && isText(code)) {
            const isStrong = run.end.offset - run.start.offset > 1
            run._close ||= (isStrong ? closing : CJK_PATTERN).test(toCharacter(previous))
            run._open ||= isStrong && CJK_PATTERN.test(toCharacter(code))
          }
          return ok(code)
        },
        nok,
      )
    },
  }
}

const toCharacter = (code: number | null): string => (code === null || code < 0 ? ' ' : String.fromCharCode(code))
const isText = (code: number | null): boolean => /\S/.test(toCharacter(code))
