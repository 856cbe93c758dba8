/** The list items and quotations that a line begins, its indentation in steps of two, and its maximum nesting. */
export function containersOf(line: string): { items: number; quotations: number; indentation: number; depth: number } {
  let [items, quotations, columns, at, depth] = [0, 0, 0, 0, 0]
  for (; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === ' ') columns++
    else if (char === '\t') columns += 4
    else if (char === '>') quotations++
    else {
      const marker = MARKER.exec(line.slice(at, at + 11))?.[0]
      if (marker === undefined) break
      items++
      at += marker.length - 1
    }
    // Indentation increases the depth only if a container begins after it.
    if (char !== ' ' && char !== '\t') depth = items + quotations + Math.floor(columns / 2)
  }
  return { items, quotations, indentation: Math.floor(columns / 2), depth }
}
const MARKER = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/

/** The end of a code span: after the next run of the same number of backticks. */
export function codeEndsIn(text: string, from: number, to: number): (ticks: number, at: number) => number | undefined {
  const runs = new Map<number, { starts: number[]; passed: number }>()
  for (let at = text.indexOf('`', from); at >= 0 && at < to; at = text.indexOf('`', at)) {
    const end = endOfRun(text, at, to)
    const same = runs.get(end - at)
    if (same) same.starts.push(at)
    else runs.set(end - at, { starts: [at], passed: 0 })
    at = end
  }
  return (ticks, at) => {
    const same = runs.get(ticks)
    if (!same) return undefined
    while ((same.starts[same.passed] ?? Infinity) < at) same.passed++
    const start = same.starts[same.passed]
    return start === undefined ? undefined : start + ticks
  }
}

export function closesFence(fence: string, line: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return mark !== undefined && mark.charAt(0) === fence.charAt(0) && mark.length >= fence.length
}

export function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++
  return at
}

export function endOfRun(text: string, from: number, to: number): number {
  const mark = text.charCodeAt(from)
  let at = from + 1
  while (at < to && text.charCodeAt(at) === mark) at++
  return at
}

export const isSpace = (text: string, at: number, from: number, to: number): boolean =>
  at < from || at >= to || /\s/.test(text.charAt(at))
