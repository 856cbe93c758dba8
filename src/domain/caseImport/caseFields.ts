import type { Check } from '#contract/console/checks.ts'
import { MAX_TAGS, type SuiteTarget } from '#contract/console/suites.ts'
import type { CasePart, CaseRecord } from './caseRecord.ts'
import type { ParsedCheck } from './assertionText.ts'
import { findQuestionName } from '../tables/columnNames.ts'
import { truncateText } from '#contract/truncatedText.ts'

const MAX_TAG_CHARS = 60
const MAX_NAME_CHARS = 300

/** The variable that is the question of a chat or a retrieval: one with its name, else the only one. */
export const findQuestion = (names: readonly string[]): string | null =>
  findQuestionName(names) ?? (names.length === 1 ? (names[0] ?? null) : null)

export const hasQuestion = (target: SuiteTarget): boolean => target === 'chat' || target === 'retrieval'

/** Collects the fields of one case, what each column became, and what is wrong. */
export class CaseBuilder {
  readonly #line: number
  readonly #target: SuiteTarget
  readonly #columns = new Map<string, CasePart>()
  readonly #faults: { column: string | null; message: string }[] = []
  readonly #inputs: Record<string, unknown> = {}
  readonly #checks: Check[] = []
  readonly #tags: string[] = []
  readonly #expected: Record<string, unknown> = {}
  #query: string | null = null
  #earlier: string[] = []
  #name: string | null = null
  #split: string | null = null

  constructor(line: number, target: SuiteTarget) {
    this.#line = line
    this.#target = target
  }

  use(column: string, part: CasePart): void {
    this.#columns.set(column, part)
  }

  fail(column: string | null, message: string): void {
    this.#faults.push({ column, message })
  }

  /** The variables of an app, of which one may be the question. `label` names a variable in the file. */
  setVariables(variables: Record<string, unknown>, question: string | null, label = (name: string) => name): void {
    for (const [name, value] of Object.entries(variables)) {
      if (name === question && hasQuestion(this.#target)) {
        this.use(label(name), 'question')
        this.#query = typeof value === 'string' ? value.trim() : JSON.stringify(value)
      } else {
        this.use(label(name), 'input')
        this.#inputs[name] = value
      }
    }
  }

  setConversation(column: string, turns: readonly string[]): void {
    this.use(column, turns.length > 1 ? 'earlier' : 'question')
    this.#query = turns.at(-1) ?? ''
    this.#earlier = turns.slice(0, -1)
  }

  setName(column: string, name: string): void {
    this.use(column, 'name')
    if (name.trim() !== '') this.#name = truncateText(name.trim(), MAX_NAME_CHARS)
  }

  setAnswer(column: string, answer: unknown): void {
    this.use(column, 'answer')
    if (answer !== null && answer !== undefined && answer !== '')
      this.#expected.answer = typeof answer === 'string' ? answer : JSON.stringify(answer)
  }

  setSegments(column: string, ids: readonly string[]): void {
    this.use(column, 'source')
    if (ids.length > 0) this.#expected.segments = ids.map((id) => ({ id }))
  }

  addCheck(column: string, { check, fault }: ParsedCheck): void {
    this.use(column, 'check')
    if (check) this.#checks.push(check)
    else this.fail(column, fault)
  }

  setSplit(column: string, split: string): void {
    this.use(column, 'split')
    if (split.trim() !== '') this.#split = split.trim()
  }

  /** A tag holds short values only, and a case so many; others have no place. */
  addTag(column: string, tag: string): void {
    const fits = tag.length <= MAX_TAG_CHARS && this.#tags.length < MAX_TAGS
    this.use(column, fits ? 'tag' : 'left_out')
    if (fits) this.#tags.push(tag)
  }

  build(): CaseRecord {
    if (hasQuestion(this.#target) && !this.#query && this.#faults.length === 0)
      this.fail(null, `has no question. A column must be named query or question.`)
    const hasInputs = Object.keys(this.#inputs).length > 0 || !hasQuestion(this.#target)
    return {
      line: this.#line,
      columns: this.#columns,
      faults: this.#faults,
      fields: {
        ...(this.#name ? { name: this.#name } : {}),
        input: {
          ...(hasQuestion(this.#target) ? { query: this.#query } : {}),
          ...(this.#earlier.length > 0 ? { earlier_turns: this.#earlier } : {}),
          ...(hasInputs ? { inputs: this.#inputs } : {}),
        },
        expected: this.#expected,
        checks: this.#checks,
        tags: [...new Set(this.#tags)],
        split: this.#split,
      },
    }
  }
}
