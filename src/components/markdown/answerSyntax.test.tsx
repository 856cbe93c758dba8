import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { cleanup, render } from '@testing-library/react'
import fc from 'fast-check'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Markdown } from './Markdown.tsx'
import styles from './MarkdownBlock.module.css'
import { findTextOffset } from './textOffset.ts'

/** Nothing is highlighted here. */
vi.stubGlobal(
  'Worker',
  class {
    postMessage(): void {}
    terminate(): void {}
  },
)

const page = (text: string, isStreaming = false) => (
  <div className="answer">
    <Markdown text={text} isStreaming={isStreaming} />
  </div>
)
/** Of a formula its source: it is drawn at once where an earlier test has loaded the library. */
const textsOf = (selector: string) =>
  [...document.querySelectorAll(`.answer :is(${selector})`)].map((element) => {
    const formula = element.matches('[data-formula]') && element.querySelector('[role="math"]')
    return ((formula && formula.getAttribute('aria-label')) || element.textContent).trim()
  })
/** The text that a person sees, the folds left out. */
const unfoldedText = () => {
  const answer = document.querySelector('.answer')?.cloneNode(true) as Element
  for (const fold of answer.querySelectorAll(`details, .${styles.codeHead}`)) fold.replaceWith(' ')
  return answer.textContent.replace(/\s+/g, ' ').trim()
}
const toLines = (...lines: string[]) => lines.join('\n')
/** Formulas are drawn late: until then the source stands there. */
afterEach(() => expect(document.querySelectorAll('[role="note"]')).toHaveLength(0))

describe.each([
  ['1. a\n    - \\(x^2\\) $x_1$\n\t\t- $$y_3$$\n\n    \\[ z \\]', ['\\(x^2\\)', '$x_1$', '$$y_3$$', '\\[ z \\]']],
  ['$$\na = b\n\n- c\n$$\n\n> \\[\n> x\n>\n> = y\n> \\]', ['$$\na = b\n\n- c\n$$', '\\[\nx\n\n= y\n\\]']],
  ['- a\n\n  \\[\n\n  + b\n\n  \\]\n\n- c\n\n```math\n\\frac12\n```', ['\\[\n\n+ b\n\n\\]', '\\frac12']],
  [
    '当$x$时 $n$th 2$\\pi$ $ E = mc^2 $ $5$ $P(A and B) = 1$',
    ['$x$', '$n$', '$\\pi$', '$ E = mc^2 $', '$5$', '$P(A and B) = 1$'],
  ],
  [
    '\\[\na\n\nb\n\\], where $x$\n\n- c\n\n        $$ d_1 $$\n\n  ```\n  \\[ e \\]\n  ```',
    ['\\[\na\n\nb\n\\]', '$x$', '$$ d_1 $$'],
  ],
  ['> $$\n> a\n\nb $$\n\n$$ - cheap\n$$$ - not\n\n$$ - c', []],
  ['$5 and $6, US$1 = €0.92, 1$=0.92€, 5$; A$=US$, \\$a_1\\$, **$7** or **$8**', []],
  [
    '$5 = €4.6 and 10$, $1.5M = 1€ or 2$, $7_000 = much, $5k-$6k, $10 (in A$), $HOME_DIR/$FOO_BAR, $HOME_DIR is set$',
    [],
  ],
  ['`$a_1$` https://a.example/$a_1$ <b title="$a_1$">\n\n    $a_1$\n\n~~~\n$a_1$\n~~~\n\n```\n\\(a_1\\)', []],
])('%j', (text, formulas) => {
  test('has these formulas, and all else is text', () => {
    render(page(text))
    expect(textsOf('[data-formula]')).toEqual(formulas)
    expect(unfoldedText()).not.toContain('\\_')
  })
})

test.each([
  ['a<br>b<BR/>c<br />d', 'a<br>b<br>c<br>d'],
  ['H<sub>2</sub>O x<SUP>**2**</SUP>', 'H<sub>2</sub>O x<sup><strong>2</strong></sup>'],
  ['<u onclick="x">a</u> <b>b <i>c</i></b>', '<u>a</u> <strong>b <em>c</em></strong>'],
  ['<kbd>a</kbd> <sub>open <s>d</s> <b>e</sub>', '<kbd>a</kbd> <sub>open <del>d</del> &lt;b&gt;e</sub>'],
  [
    '<div>\n*x* </sup><constructor>y</constructor>',
    '&lt;div&gt;\n<em>x</em> &lt;/sup&gt;&lt;constructor&gt;y&lt;/constructor&gt;',
  ],
  ['**复现：**10 *（注）*后 ~~作废。~~新', '<strong>复现：</strong>10 <em>（注）</em>后 <del>作废。</del>新'],
  [
    '**用“`npm`”。**然后 ***重要：***请',
    '<strong>用“<code>npm</code>”。</strong>然后 <em><strong>重要：</strong></em>请',
  ],
  ['__说明：__1 **“引”**v2 报告_（稿）_v2', '<strong>说明：</strong>1 <strong>“引”</strong>v2 报告_（稿）_v2'],
  [
    '**버전:**v2 **중요(필독)**은 **注！**A',
    '<strong>버전:</strong>v2 <strong>중요(필독)</strong>은 <strong>注！</strong>A',
  ],
  [
    '_（注）_后 단어**(필독)**은 f(a*b)*c **50%**의',
    '<em>（注）</em>后 단어<strong>(필독)</strong>은 f(a*b)*c <strong>50%</strong>의',
  ],
  ['**「重点」**v1 10~20 元，30~40 2**3', '<strong>「重点」</strong>v1 10~20 元，30~40 2**3'],
])('%s', (text, html) => {
  render(page(text))
  const drawn = document.querySelector('.answer p')?.innerHTML
  expect(drawn?.replace(/ data-(?:at|after)="\d+"/g, '')).toBe(html)
})

test.each([
  ['<think>\na *thought*\n\n1. b\n</think>\n\nEnd.', ['Thoughts'], 'End.'],
  ['\n\n<THINK>a</THINK>\nEnd.', ['Thoughts'], 'End.'],
  ['<thinking time="3">\na', ['Thoughts'], ''],
  ['Result: <think>\na\n\n`</think>` b\n</think>\nEnd.', ['Thoughts'], 'Result: End.'],
  ['Result: <think>a</think> **End.**', ['Thoughts'], 'Result: End.'],
  ['Result: <think>a\n\nb\n- c\n</think>\nEnd.', ['Thoughts'], 'Result: End.'],
  ['**x <think>a</think> y**', ['Thoughts'], 'x y'],
  ['a\n\nb\n</think>\n\nEnd. </think>', ['Thoughts'], 'End. </think>'],
  ['a\n\nb. </thinking>\n\nEnd.', ['Thoughts'], 'End.'],
  ['1. x <think>a</think> y\n2. z\n   <think>\n   b\n   </think>\n   End.', ['Thoughts', 'Thoughts'], 'x y z End.'],
  ['- x <think>\n  a\n\n  - b</think> y\n- z', ['Thoughts'], 'x y z'],
  ['> <think>\n> a\n> </think>\n> End.', ['Thoughts'], 'End.'],
  ['- <think> a\n- ends </think>\n\n> - </think> End.', [], '<think> a ends </think> </think> End.'],
  ['- <think>a\n- End.', ['Thoughts'], 'End.'],
  [
    'Use:\n\n- `<think>` a\n- ends with </think>\n\n```\n<think>\n```\nBye',
    [],
    'Use: <think> a ends with </think> <think> Bye',
  ],
  ['The <think> tag.\n\nEnd. \\<think>', [], 'The <think> tag. End. <think>'],
  ['<details open><summary> **M** `x` </summary>\n\n```\n</details>\n```\n</details>\nEnd.', ['M x'], 'End.'],
  [
    '<DETAILS>\na\n\n<details><summary><h3>I</h3></summary>\n- b\n</details>\n</details>\nEnd.',
    ['Details', 'I'],
    'End.',
  ],
  ['x <details><summary>S</summary>\n\na\n\n</details>\nEnd.', ['S'], 'x End.'],
  ['- x\n  <details>\n  <summary>S</summary>\n\n  a\n  </details>\n- End.', ['S'], 'x End.'],
  ['|a|\n|-|\n|<details><summary>S</summary>b</details>|', ['S'], 'a'],
])('%j is folded, and its words are where they were', (text, summaries, outside) => {
  for (const isStreaming of [false, true]) {
    const { unmount } = render(page(text, isStreaming))
    expect(textsOf('summary').map((title) => title.replace('Thinking', 'Thoughts'))).toEqual(summaries)
    expect(unfoldedText()).toBe(outside)
    if (!text.includes('`'))
      expect(document.querySelector('.answer')?.innerHTML).not.toMatch(outside.includes('<') ? /^$/ : /&lt;/)
    unmount()
  }
})

const HANDED: [string, string, string[]][] = [
  ['S22/prices.md', '[data-formula]', ['$x_1 + y$', '$E=mc^2$', '\\(a^2\\)']],
  [
    'S23/mathlist.md',
    '[data-formula]',
    [
      '\\(x^2\\)',
      '$x_1$',
      '$$y^2 = 4$$',
      '\\(z^3\\)',
      '$z_3$',
      '\\[ a^2 + b^2 = c^2 \\]',
      '$k_1$',
      '\\(p^2\\)',
      '\\(q^2\\)',
      '\\(r^2\\)',
    ],
  ],
  ['S23/mathtab.md', 'li li [data-formula]', ['\\(x^2\\)', '$x_1$']],
  ['S24/mathblank.md', '[data-formula]', ['$$\na = b\n\nc = d\n$$', '\\[\n\nx = y\n\n\\]', '$$ x = 1 $$', 'e = mc^2']],
  ['S25/br.md', 'td br, sub, sup, u, kbd', ['', '', '', '2', '2', 'under', 'Ctrl']],
  [
    'S26/cjk.md',
    'strong, p > em, del',
    [
      '复现：',
      '版本：',
      '建议：',
      '用“npm”。',
      '见文档 (a.example)。',
      '（注）',
      '作废。',
      '「重点」',
      '价格：',
      '重要：',
      '重要：',
      '说明：',
    ],
  ],
  ['S27/thinkattr.md', 'details + p, p:has(+ details), summary', ['Thoughts']],
  ['S27/thinking.md', 'summary', ['Thoughts']],
  ['S27/thinkmid.md', 'summary, p', ['Result:', 'Thoughts', 'I reason here.\nMore.', 'The real answer.']],
  ['S27/thinkmid1.md', 'summary, p', ['Result:', 'Thoughts', 'short', 'The real answer.']],
  ['S27/thinkupper.md', 'summary, p', ['Thoughts', 'loud thought', 'Visible.']],
  ['S27b/answer.md', 'details, li', ['<think> opens', 'it ends with </think>']],
  [
    'S28/details.md',
    'summary, pre, td, p:not(details *)',
    ['Before', 'Log', 'console.log("</details>")', '1', '2', 'After'],
  ],
  [
    'S32/answer.md',
    '[dir="rtl"]:is(ul, ol, blockquote, div) :is(li, p, th)',
    ['البند الأول', 'البند الثاني مع English', 'العمود', 'القيمة', 'أولا', 'ثانيا', 'اقتباس'],
  ],
]
const handedFolder = join(SHARED_DATA, 'real-inputs/console')

describeWith(requirements.sharedData('real-inputs/console/S22/prices.md'))('handed answers', () => {
  test.each(HANDED)('%s', (file, selector, texts) => {
    render(page(readFileSync(join(handedFolder, file), 'utf8')))
    expect(textsOf(selector)).toEqual(texts)
  })
})

const OWN = toLines(
  'One **two** `a\\b` &amp; \\* [x](https://a.example) <b>b</b><br>c\n',
  '> - q *r*\n>   s $x_1$\n>\n>   ```js\n>   > code\n>   ```\n',
  '1.\ttab\n\t- in \\(y^2\\)\n\n\t  \\[\n\n\t  z\n\n\t  \\]\n',
  '| a | b\\|c |\n|-|-|\n| **版：**v2 | <sub>2</sub> |\n',
  '<think>\nhm *x*\n\n<details><summary>S **t**</summary>\n\n- y <think>z</think>\n</details>\n</think>\n',
  '$$\nu\n\nv\n$$\r\n\r\nlast [1] https://a.example。后文\n',
)
const answers = [
  OWN,
  ...globSync(join(handedFolder, 'S{22,23,24,25,26,27,27b,28,32}/*.md')).map((file) => readFileSync(file, 'utf8')),
]
/** What stands beside the words of the answer. */
const ADDED = `button, .${styles.codeHead}, .${styles.host}, [role="math"], summary:not([data-at], :has([data-at]))`

test('each drawn character knows where it stands in the answer, however the text came', () => {
  fc.assert(
    fc.property(fc.constantFrom(...answers), fc.array(fc.nat(400), { maxLength: 4 }), (text, cuts) => {
      cleanup()
      const { rerender } = render(page('', true))
      for (const end of cuts.sort((a, b) => a - b)) rerender(page(text.slice(0, end), end < text.length))
      rerender(page(text))
      let last = -1
      const walker = document.createTreeWalker(document.querySelector('.answer') as Element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement?.closest(ADDED) || !node.textContent?.trim()) continue
        const { textContent } = node
        for (let index = 0; index < textContent.length; index++) {
          const at = findTextOffset(node, index)
          const drawn = `${textContent.slice(index, index + 9)} at ${at}`
          expect(at ?? -1, drawn).toBeGreaterThan(last)
          const source = text.charAt(at ?? -1)
          if (source !== '&')
            expect(source.replace(/\s/, ' '), drawn).toBe(textContent.charAt(index).replace(/\s/, ' '))
          last = at ?? last
        }
      }
    }),
    { numRuns: 40, examples: answers.map((text): [string, number[]] => [text, []]) },
  )
})
