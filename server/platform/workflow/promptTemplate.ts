const PLACEHOLDER = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/**
 * Substitutes values for the `{{names}}` of a template. Text only: no expressions, no code. Null is empty, objects are
 * JSON.
 */
export function renderTemplate(template: string, lookup: (name: string) => unknown): string {
  return template.replace(PLACEHOLDER, (_, name: string) => toDisplayText(lookup(name)))
}

/** The names in a template, including repetitions. */
export const listPlaceholders = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')

export function toDisplayText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n\n')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
