import { toNestErrors } from '@hookform/resolvers'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { invalid } from '#contract/problem.ts'

/**
 * Checks a form by the schema of the body that it sends, so that the form and the server refuse the same in the same
 * words. `bodyOf` makes the body out of what was typed.
 */
export const resolverOf =
  <Values extends FieldValues, Schema extends z.ZodType>(
    schema: Schema,
    bodyOf: (values: Values) => unknown,
  ): Resolver<Values, unknown, z.output<Schema>> =>
  (values, _context, options) => {
    const result = schema.safeParse(bodyOf(values))
    if (result.success) return { values: result.data as z.output<Schema> & FieldValues, errors: {} }
    const { fields = [] } = invalid('', result.error)
    const errors = Object.fromEntries(
      fields.map(({ path, message }) => [path, { type: 'body', message: say(message) }]),
    )
    return { values: {}, errors: toNestErrors(errors as FieldErrors, options) as FieldErrors<Values> }
  }

const say = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
