import { Textarea } from '@mantine/core'
import { useId } from 'react'
import { faultWords } from '../../run/faultWords.ts'
import type { FileRule } from '../../run/files.ts'
import { FilesField } from '../../run/FilesField.tsx'
import type { Faults } from '../../run/inputs.ts'
import { InputsForm } from '../../run/InputsForm.tsx'
import { runWords } from '../../run/messages.ts'
import type { UploadTarget } from '../../run/useUpload.ts'
import { useWords } from '../../ui/words.ts'
import type { Asked } from './board.ts'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import { type AppForm, commonControls, QUESTION, takesFiles, takesQuestion } from './request.ts'

export interface AskedFieldsProps {
  /** The forms of all apps that are asked this. */
  forms: readonly AppForm[]
  asked: Asked
  onAsked: (change: Partial<Asked>) => void
  faults: Faults
  /** Where a file can be uploaded: to one app, never to several. */
  upload: UploadTarget | null
}

/** An app that says nothing of files may take them all the same, by their URL. */
const ANY_URL: FileRule = { types: [], extensions: [], methods: ['remote_url'], most: null, sizes: {} }

/** A question, inputs and files, for one app or for all: what none of them takes is not asked for. */
export function AskedFields({ forms, asked, onAsked, faults, upload }: AskedFieldsProps) {
  const t = useWords(compareWords)
  const say = useWords(runWords)
  const files = useId()
  const controls = commonControls(forms)
  const rules = forms.flatMap((form) => (form.files ? [form.files] : []))
  const rule = forms.length === 1 ? (rules[0] ?? ANY_URL) : ANY_URL
  const ofQuestion = faults[QUESTION]
  return (
    <>
      {forms.some(takesQuestion) ? (
        <Textarea
          label={t('question')}
          description={forms.some(({ entry }) => entry !== 'chat.send') ? t('questionWhy') : undefined}
          error={ofQuestion ? faultWords(say, ofQuestion) : undefined}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={200_000}
          value={asked.query}
          onChange={(event) => onAsked({ query: event.currentTarget.value })}
        />
      ) : null}
      {controls.length > 0 || Object.keys(asked.filled).length > 0 ? (
        <section aria-label={t('inputs')}>
          <InputsForm
            controls={controls}
            filled={asked.filled}
            onFilled={(filled) => onAsked({ filled })}
            faults={faults}
            upload={upload}
          />
        </section>
      ) : null}
      {forms.some(takesFiles) ? (
        <details className={classes.files} open={asked.files.length > 0 || undefined}>
          <summary id={files}>{t('files')}</summary>
          {upload === null ? <p className={classes.note}>{t('filesWhy')}</p> : null}
          <FilesField
            label={t('files')}
            rule={rule}
            entries={asked.files}
            onEntries={(entries) => onAsked({ files: entries })}
            upload={upload}
          />
        </details>
      ) : null}
    </>
  )
}
