/** Values of a form of which some are left out, at any depth. Lists are whole. */
type PartialValues = { [name: string]: unknown }

/** Returns the values that differ from `base`. */
export function pickChangedValues(values: object, base: object): PartialValues {
  const from = base as PartialValues
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
      const before = from[name]
      if (JSON.stringify(value) === JSON.stringify(before)) return []
      return [[name, isRecord(value) && isRecord(before) ? pickChangedValues(value, before) : value]]
    }),
  )
}

/** `base` with changes that `pickChangedValues` found in another one. */
export function applyChangedValues<Values extends object>(base: Values, changes: object): Values {
  const from = base as PartialValues
  const changed = Object.entries(changes).map(([name, value]: [string, unknown]) => {
    const before = from[name]
    return [name, isRecord(value) && isRecord(before) ? applyChangedValues(before, value) : value]
  })
  return { ...base, ...(Object.fromEntries(changed) as Partial<Values>) }
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
