import { z } from 'zod'

/**
 * The contract is strict for the console's own requests. The platform accepts requests of other clients: unknown fields
 * are dropped, and null counts as absent for optional fields that are not nullable themselves.
 */
export function toLenientSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(
      Object.entries(schema.def.shape).map(([name, field]) => [name, toLenientSchema(field as z.ZodType)]),
    )
    const catchall = isNever(schema.def.catchall) ? undefined : schema.def.catchall
    return schema.clone({ ...schema.def, shape, catchall } as typeof schema.def)
  }
  if (schema instanceof z.ZodOptional) {
    const inner = toLenientSchema(schema.def.innerType as z.ZodType)
    if (schema.def.innerType instanceof z.ZodNullable) return inner.optional()
    return inner
      .nullable()
      .optional()
      .transform((value) => value ?? undefined)
  }
  if (schema instanceof z.ZodDefault) {
    const inner = toLenientSchema(schema.def.innerType as z.ZodType)
    const fallback: unknown = schema.def.defaultValue
    return inner
      .nullable()
      .optional()
      .transform((value) => value ?? fallback)
  }
  if (schema instanceof z.ZodNullable)
    return schema.clone({ ...schema.def, innerType: toLenientSchema(schema.def.innerType as z.ZodType) } as never)
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: toLenientSchema(schema.def.element as z.ZodType) } as never)
  if (schema instanceof z.ZodUnion)
    return schema.clone({
      ...schema.def,
      options: schema.def.options.map((option) => toLenientSchema(option as z.ZodType)),
    } as never)
  return schema
}

const isNever = (schema: unknown): boolean => schema instanceof z.ZodNever
