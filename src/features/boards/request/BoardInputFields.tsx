import { NativeSelect, Text, Textarea } from '@mantine/core'
import { useId } from 'react'
import { formatFieldError, type FieldErrors } from '../../runs/inputs/inputFields.ts'
import type { FileRule } from '../../runs/inputs/inputFiles.ts'
import { InputFilesField, type UploadTarget } from '../../runs/inputs/InputFilesField.tsx'
import { InputsForm } from '../../runs/inputs/InputsForm.tsx'
import { inputMessages } from '../../runs/inputs/messages.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { BoardInput } from '../board.ts'
import { boardMessages } from '../messages.ts'
import { type AppForm, listCommonFields, QUESTION_FIELD, takesFiles, takesQuestion } from './cellRequest.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { toInputSet } from '../../playground/inputsApp/inputSets.ts'
import { useRead } from '../../../client/query.ts'

export interface BoardInputFieldsProps {
  forms: readonly AppForm[]
  input: BoardInput
  onInput: (change: Partial<BoardInput>) => void
  errors: FieldErrors
  /** Where a file can be uploaded: to one app, never to several. */
  upload: UploadTarget | null
}

/** An app that says nothing of files may take them all the same, by their URL. */
const BOARD_URL_FILE_RULE: FileRule = {
  types: [],
  extensions: [],
  methods: ['remote_url'],
  maxFiles: null,
  maxMegabytesByType: {},
}

/** A question, inputs and files, for one app or for all: only what at least one of them accepts. */
export function BoardInputFields({ forms, input, onInput, errors, upload }: BoardInputFieldsProps) {
  const t = useMessages(boardMessages)
  const formatError = useMessages(inputMessages)
  const files = useId()
  const fields = listCommonFields(forms)
  const rules = forms.flatMap((form) => (form.files ? [form.files] : []))
  const rule = forms.length === 1 ? (rules[0] ?? BOARD_URL_FILE_RULE) : BOARD_URL_FILE_RULE
  const takesQuestionField = errors[QUESTION_FIELD]
  return (
    <>
      {forms.some(takesQuestion) ? (
        <Textarea
          label={t('question')}
          description={forms.some(({ entry }) => entry !== 'chat.send') ? t('questionWhy') : undefined}
          error={takesQuestionField ? formatFieldError(formatError, takesQuestionField) : undefined}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={200_000}
          value={input.query}
          onChange={(event) => onInput({ query: event.currentTarget.value })}
        />
      ) : null}
      {fields.length > 0 || Object.keys(input.filled).length > 0 ? (
        <section aria-label={t('inputs')}>
          <InputsForm
            fields={fields}
            values={input.filled}
            onChange={(formValues) => onInput({ filled: formValues })}
            errors={errors}
            upload={upload}
          />
        </section>
      ) : null}
      {forms.some(takesFiles) ? (
        <details open={input.files.length > 0 || undefined}>
          <Text component="summary" id={files} py={3} c="dimmed" fz="sm">
            {t('files')}
          </Text>
          {upload === null ? (
            <Text c="dimmed" fz="sm">
              {t('filesWhy')}
            </Text>
          ) : null}
          <InputFilesField
            label={t('files')}
            rule={rule}
            entries={input.files}
            onEntries={(entries) => onInput({ files: entries })}
            upload={upload}
          />
        </details>
      ) : null}
    </>
  )
}

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

/** The saved inputs of an app, to fill into the form. */
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
