import { useSessionStorage } from '@mantine/hooks'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { toInputFields, type FormValues, parseInputs } from '../../runs/inputs/inputFields.ts'
import { useRead } from '../../../client/query.ts'

/** A chat app that stands in for a search, with the inputs it wants beside the question; null key where none is asked. */
export function useRetrievalProbe(app: Key | null, user: string | undefined) {
  const parameters = useRead(appParameterEndpoints.parameters, { key: app?.id }, { enabled: app !== null })
  const [formValues, onFormValues] = useSessionStorage<FormValues>({ key: `loupe.probe.${app?.id}`, defaultValue: {} })
  const fields = toInputFields(parameters.data)
  const { inputs, errors: parsedInputs } = parseInputs(fields, formValues)
  const isTouched = ([name]: [string, unknown]) => name === '' || formValues[name] !== undefined
  return {
    controls: fields,
    filled: formValues,
    onFilled: onFormValues,
    inputs,
    /** What is wrong in what was typed; a field that nobody came to yet is only named in `lacks`. */
    faults: Object.fromEntries(Object.entries(parsedInputs).filter(isTouched)),
    /** The inputs without which the app refuses every question. */
    lacks: Object.keys(parsedInputs).map((name) => fields.find(({ variable }) => variable === name)?.label || name),
    upload: app?.offers.includes('uploadFile') && user ? { key: app.id, user } : null,
    isPending: app !== null && parameters.isPending,
    problem: parameters.error?.problem ?? null,
    retry: () => void parameters.refetch(),
  }
}
export type RetrievalProbe = ReturnType<typeof useRetrievalProbe>
