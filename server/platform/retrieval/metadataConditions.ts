import type { z } from 'zod'
import { METADATA_OPERATORS, type MetadataFilter, type MetadataOperator } from '#contract/platform/schemas.ts'
import { toInvalidParamError } from '../platformErrors.ts'

export type MetadataFilterInput = z.output<typeof MetadataFilter>
export interface MetadataCondition {
  name: string
  operator: MetadataOperator
  value: string | number | string[] | null
  /** Its place in the request. */
  path: string
}

/**
 * A condition without a value is ignored, as upstream, unless it needs none.
 * @throws PlatformError 400 for an unknown operator or combination
 */
export function parseConditions(filter: MetadataFilterInput | null | undefined): MetadataCondition[] {
  const given = filter?.logical_operator
  if (given && given !== 'and' && given !== 'or')
    throw toInvalidParamError('metadata_filtering_conditions.logical_operator must be and or or')
  return (filter?.conditions ?? []).flatMap(({ name, comparison_operator, value }, index) => {
    const operator = METADATA_OPERATORS.find((known) => known === comparison_operator)
    if (!operator)
      throw toInvalidParamError(
        `metadata_filtering_conditions.conditions comparison_operator must be one of ${METADATA_OPERATORS.join(', ')}`,
      )
    const needsValue = operator !== 'empty' && operator !== 'not empty'
    return needsValue && (value === null || value === undefined)
      ? []
      : [{ name, operator, value: value ?? null, path: `metadata_filtering_conditions.conditions.${index}` }]
  })
}
