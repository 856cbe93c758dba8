import { Textarea } from '@mantine/core'
import { useId } from 'react'
import { formatFieldError, type FieldErrors } from '../../runs/inputs/inputFields.ts'
import type { FileRule } from '../../runs/inputs/inputFiles.ts'
import { InputFilesField, type UploadTarget } from '../../runs/inputs/InputFilesField.tsx'
import { InputsForm } from '../../runs/inputs/InputsForm.tsx'
import { inputMessages } from '../../runs/inputs/messages.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { BoardInput } from '../board.ts'
import classes from '../Board.module.css'
import { boardMessages } from '../messages.ts'
import { type AppForm, listCommonFields, QUESTION_FIELD, takesFiles, takesQuestion } from './cellRequest.ts'

export interface BoardInputFieldsProps {
  /** The forms of all apps that are asked this. */
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

/** A question, inputs and files, for one app or for all: what none of them takes is not asked for. */
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
        <details className={classes.files} open={input.files.length > 0 || undefined}>
          <summary id={files}>{t('files')}</summary>
          {upload === null ? <p className={classes.note}>{t('filesWhy')}</p> : null}
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
