import type { KeyPattern } from './keyPatterns.ts'

/** Columns of the table, one for each ASCII character: a state's row starts at `state << 7`. */
export const ASCII_CODE_COUNT = 128

interface Automaton {
  /** The table of transitions. */
  next: Uint16Array
  /** The patterns that end in the last states, the longest first. */
  firstEnd: number
  ends: readonly KeyPattern[]
}

/** The Aho-Corasick automaton with a complete transition table. */
export function automaton(patterns: readonly KeyPattern[]): Automaton {
  const size = 1 + patterns.reduce((sum, { start }) => sum + start.length, 0)
  const next = new Uint16Array(size * ASCII_CODE_COUNT)
  const ends: (KeyPattern | null)[] = [null]
  for (const pattern of patterns) {
    let state = 0
    for (let at = 0; at < pattern.start.length; at++) {
      const cell = state * ASCII_CODE_COUNT + pattern.start.charCodeAt(at)
      next[cell] ||= ends.push(null) - 1
      state = next[cell]
    }
    ends[state] = pattern
  }
  const failures = new Uint16Array(ends.length)
  const queue = [0]
  for (const state of queue) {
    const failure = failures[state] as number
    ends[state] ??= ends[failure] as KeyPattern | null
    for (let code = 0; code < ASCII_CODE_COUNT; code++) {
      const cell = state * ASCII_CODE_COUNT + code
      const other = state === 0 ? 0 : (next[failure * ASCII_CODE_COUNT + code] as number)
      const child = next[cell] as number
      if (child === 0) next[cell] = other
      else {
        failures[child] = other
        queue.push(child)
      }
    }
  }
  return endsLast(next, ends)
}

/** Renumbers the states so that those in which a pattern ends come last: one comparison detects them. */
function endsLast(next: Uint16Array, ends: readonly (KeyPattern | null)[]): Automaton {
  const states = [...ends.keys()]
  const order = [...states.filter((state) => !ends[state]), ...states.filter((state) => ends[state])]
  const numbers = new Uint16Array(ends.length)
  for (const [number, state] of order.entries()) numbers[state] = number
  const table = new Uint16Array(ends.length * ASCII_CODE_COUNT)
  for (let cell = 0; cell < table.length; cell++) {
    const state = numbers[cell >> 7] as number
    table[(state << 7) | (cell & 127)] = numbers[next[cell] as number] as number
  }
  const kept = order.flatMap((state) => ends[state] ?? [])
  return { next: table, firstEnd: ends.length - kept.length, ends: kept }
}
