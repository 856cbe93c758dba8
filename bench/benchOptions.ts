import { parseArgs } from 'node:util'

/** The names of benches, and the options by which a bench measures a part of itself. */
export function readBenchOptions() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      part: { type: 'string' },
      collections: { type: 'string' },
      only: { type: 'string', multiple: true },
      quality: { type: 'boolean' },
      speed: { type: 'boolean' },
    },
  })
  return { names: positionals, ...values }
}

/** The parts of a bench that `--part` selects: one, or all without it. @throws Error for an unknown name */
export function selectParts<Name extends string>(all: readonly Name[]): Name[] {
  const { part } = readBenchOptions()
  const selected = all.filter((name) => part === undefined || name === part)
  if (selected.length === 0) throw new Error(`The parts of this bench are ${all.join(', ')}.`)
  return selected
}
