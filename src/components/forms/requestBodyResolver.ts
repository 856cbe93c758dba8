import { toNestErrors } from '@hookform/resolvers'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { toInvalidProblem } from '#contract/problem.ts'

/**
 * Validates a form with the schema of its request body, so that the form and the server report the same errors.
 * `toBody` builds the body from the input.
 */
export const createBodyResolver =
  <Values extends FieldValues, Schema extends z.ZodType>(
    schema: Schema,
    toBody: (values: Values) => unknown,
  ): Resolver<Values, unknown, z.output<Schema>> =>
  (values, _context, options) => {
    const result = schema.safeParse(toBody(values))
    if (result.success) return { values: result.data as z.output<Schema> & FieldValues, errors: {} }
    const { fields = [] } = toInvalidProblem('', result.error)
    // The first error of a field wins.
    const errors = Object.fromEntries(
      fields.toReversed().map(({ path, message }) => [path, { type: 'body', message: formatFieldMessage(message) }]),
    )
    return { values: {}, errors: toNestErrors(errors as FieldErrors, options) as FieldErrors<Values> }
  }

/** As a sentence, at an input. */
export const formatFieldMessage = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`
