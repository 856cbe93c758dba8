import { isJsonContainer } from '#domain/losslessJson.ts'

/** Collects all strings of a value, one per line, without field names, up to `length` characters. */
export function collectText(value: unknown, length: number): string {
  const texts: string[] = []
  let charsLeft = length
  const stack: unknown[] = [value]
  while (stack.length > 0 && charsLeft > 0) {
    const next = stack.pop()
    if (typeof next === 'string' && next !== '') {
      texts.push(next.slice(0, charsLeft))
      charsLeft -= next.length + 1
    } else if (isJsonContainer(next)) {
      const parts: unknown[] = Array.isArray(next) ? next : Object.values(next)
      for (let index = Math.min(parts.length, charsLeft) - 1; index >= 0; index--) stack.push(parts[index])
    }
  }
  return texts.join('\n')
}
