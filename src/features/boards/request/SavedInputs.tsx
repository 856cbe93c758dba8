import { NativeSelect } from '@mantine/core'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { toInputSet } from '../../playground/inputsApp/inputSet.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import type { BoardInput } from '../board.ts'
import { boardMessages } from '../messages.ts'
import { QUESTION_FIELD } from './cellRequest.ts'

/** Saved inputs as the request of a cell. */
export function toBoardInput(value: unknown): BoardInput {
  const { filled: formValues, files } = toInputSet(value)
  const { [QUESTION_FIELD]: query = '', ...filled } = formValues
  return { query, filled, files }
}

export interface SavedInputsProps {
  workspace: string
  app: string
  onInput: (change: Partial<BoardInput>) => void
}

/** The kept inputs of an app, to be taken over; nothing where none are kept. */
export function SavedInputs({ workspace, app, onInput }: SavedInputsProps) {
  const t = useMessages(boardMessages)
  const list = useRead(savedItemEndpoints.listSavedItems, { query: { kind: 'input_set', workspace, about: app } })
  const sets = list.data?.data ?? []
  if (sets.length === 0) return null
  const applySet = (id: string) => {
    const one = sets.find((set) => set.id === id)
    if (!one) return
    const { query, ...others } = toBoardInput(one.value)
    onInput({ ...others, ...(query === '' ? {} : { query }) })
  }
  return (
    <NativeSelect
      aria-label={t('takeInputs')}
      value=""
      onChange={(event) => applySet(event.currentTarget.value)}
      data={[{ value: '', label: t('takeInputs') }, ...sets.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
