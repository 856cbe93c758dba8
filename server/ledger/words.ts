/** All texts that stand in a value, one a line, without the names of its fields; it stops at `length` characters. */
export function wordsOf(value: unknown, length: number): string {
  const found: string[] = []
  let left = length
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && left > 0) {
    const next = waiting.pop()
    if (typeof next === 'string' && next !== '') {
      found.push(next.slice(0, left))
      left -= next.length + 1
    } else if (typeof next === 'object' && next !== null) {
      const parts: unknown[] = Array.isArray(next) ? next : Object.values(next)
      for (let index = Math.min(parts.length, left) - 1; index >= 0; index--) waiting.push(parts[index])
    }
  }
  return found.join('\n')
}
