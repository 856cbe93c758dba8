import { useSessionStorage } from '@mantine/hooks'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { controlsOf, type Filled, inputsOf } from '../../run/inputs.ts'
import { useRead } from '../../wire/query.ts'

/** A chat app that stands in for a search, with the inputs it wants beside the question; null key where none is asked. */
export function useProbe(app: Key | null, user: string | undefined) {
  const parameters = useRead(contract.workflows.parameters, { key: app?.id }, { enabled: app !== null })
  const [filled, onFilled] = useSessionStorage<Filled>({ key: `loupe.probe.${app?.id}`, defaultValue: {} })
  const controls = controlsOf(parameters.data)
  const { inputs, faults: found } = inputsOf(controls, filled)
  const isTouched = ([name]: [string, unknown]) => name === '' || filled[name] !== undefined
  return {
    controls,
    filled,
    onFilled,
    inputs,
    /** What is wrong in what was typed; a field that nobody came to yet is only named in `lacks`. */
    faults: Object.fromEntries(Object.entries(found).filter(isTouched)),
    /** The inputs without which the app refuses every question. */
    lacks: Object.keys(found).map((name) => controls.find(({ variable }) => variable === name)?.label || name),
    upload: app?.offers.includes('uploadFile') && user ? { key: app.id, user } : null,
    isPending: app !== null && parameters.isPending,
    problem: parameters.error?.problem ?? null,
    retry: () => void parameters.refetch(),
  }
}
export type Probe = ReturnType<typeof useProbe>
