import { z } from 'zod'

export const TimeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_+\-/]+$/, { error: 'must be the name of a time zone' })
