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

const FORM_FIELD = /^#\$output\.(\w+)#$/

/** Whether a placeholder stands for a field of a form, such as `{{#$output.comment#}}`, not for a value of the run. */
export const isFormFieldName = (name: string): boolean => FORM_FIELD.test(name)

/** The content of a form with the values of the run; the placeholders of its fields remain. */
export const renderFormContent = (content: string, lookup: (name: string) => unknown): string =>
  renderTemplate(content, (name) => (isFormFieldName(name) ? `{{${name}}}` : lookup(name)))

/** The content of an answered form with the values of its fields. Other placeholders are text from a value. */
export const fillFormContent = (content: string, values: Record<string, unknown>): string =>
  content.replace(PLACEHOLDER, (text, name: string) => {
    const [, field] = FORM_FIELD.exec(name) ?? []
    return field === undefined ? text : toDisplayText(values[field])
  })

export function toDisplayText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n\n')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
