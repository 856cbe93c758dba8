import { asRecord } from '#domain/stream/untrustedJson.ts'

/** Values of a form with missing ones at any depth. Lists are always complete. */
type PartialValues = { [name: string]: unknown }

/** Returns the values that differ from `base`. */
export function pickChangedValues(values: object, base: object): PartialValues {
  const from = base as PartialValues
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
      if (JSON.stringify(value) === JSON.stringify(from[name])) return []
      const [record, before] = [asRecord(value), asRecord(from[name])]
      return [[name, record && before ? pickChangedValues(record, before) : value]]
    }),
  )
}

/** `base` with changes that `pickChangedValues` found in another one. */
export function applyChangedValues<Values extends object>(base: Values, changes: object): Values {
  const from = base as PartialValues
  const changed = Object.entries(changes).map(([name, value]: [string, unknown]) => {
    const [record, before] = [asRecord(value), asRecord(from[name])]
    return [name, record && before ? applyChangedValues(before, record) : value]
  })
  return { ...base, ...(Object.fromEntries(changed) as Partial<Values>) }
}
