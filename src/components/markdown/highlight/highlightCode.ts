import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

/** A token of code: text, or tokens in one scope (`keyword`, `string`, ...). */
export type CodeToken = string | { scope: string; tokens: CodeToken[] }

/** Collects tokens where the library would emit HTML: this console never creates elements from strings. */
class CodeTokenEmitter {
  readonly root: CodeToken[] = []
  readonly #open: CodeToken[][] = [this.root]
  count = 0

  addText(text: string): void {
    if (text !== '') this.#open.at(-1)?.push(text)
  }
  startScope(scope: string): void {
    const pieces: CodeToken[] = []
    this.count++
    this.#open.at(-1)?.push({ scope, tokens: pieces })
    this.#open.push(pieces)
  }
  endScope(): void {
    this.#open.pop()
  }
  // The library also uses these names for scopes.
  openNode(scope: string): void {
    this.startScope(scope)
  }
  closeNode(): void {
    this.endScope()
  }
  __addSublanguage(inner: CodeTokenEmitter, scope: string): void {
    this.count += inner.count
    this.#open.at(-1)?.push(scope ? { scope, tokens: inner.root } : { scope: 'sub', tokens: inner.root })
  }
  finalize(): void {}
  toHTML(): string {
    return ''
  }
}

const languages = {
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
hljs.configure({ __emitter: CodeTokenEmitter })

/** Maximum tokens that a page renders for one code block. */
const MAX_PIECES = 5_000

/** Code as scoped tokens; null for an unsupported language, or for too many tokens. */
export function highlightCode(code: string, language: string): CodeToken[] | null {
  if (!hljs.getLanguage(language)) return null
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true })
  const { root, count } = _emitter as unknown as CodeTokenEmitter
  return count > MAX_PIECES ? null : root
}
