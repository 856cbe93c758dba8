import { Textarea } from '@mantine/core'
import type { SuiteTarget } from '#contract/console/suites.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { type CaseDraft, parseCaseFiles, parseCaseInputs } from './caseDraft.ts'
import { ChecksField } from './ChecksField.tsx'
import { testCaseMessages } from './messages.ts'

interface CaseFieldsProps {
  workspace: string
  target: SuiteTarget
  draft: CaseDraft
  onChange: (draft: CaseDraft) => void
  showsErrors: boolean
}

/** What a case of an app asks, what should come, and what is checked. */
export function CaseFields({ workspace, target, draft, onChange, showsErrors }: CaseFieldsProps) {
  const t = useMessages(testCaseMessages)
  const set = (changes: Partial<CaseDraft>) => onChange({ ...draft, ...changes })
  return (
    <>
      {target === 'chat' ? (
        <>
          <Textarea
            label={t('question')}
            value={draft.query}
            autosize
            minRows={2}
            maxRows={8}
            dir="auto"
            onChange={(event) => set({ query: event.currentTarget.value })}
          />
          <Textarea
            label={t('earlierTurns')}
            description={t('earlierTurnsHelp')}
            value={draft.earlierTurns}
            autosize
            minRows={1}
            maxRows={6}
            dir="auto"
            onChange={(event) => set({ earlierTurns: event.currentTarget.value })}
          />
        </>
      ) : null}
      <Textarea
        label={t('inputs')}
        description={t('inputsHelp')}
        value={draft.inputs}
        error={parseCaseInputs(draft.inputs) ? undefined : t('inputsInvalid')}
        autosize
        minRows={target === 'chat' ? 1 : 3}
        maxRows={12}
        spellCheck={false}
        onChange={(event) => set({ inputs: event.currentTarget.value })}
      />
      <Textarea
        label={t('files')}
        description={t('filesHelp')}
        value={draft.files}
        error={parseCaseFiles(draft.files) ? undefined : t('filesInvalid')}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        onChange={(event) => set({ files: event.currentTarget.value })}
      />
      <Textarea
        label={t('expectedAnswer')}
        description={t('expectedAnswerHelp')}
        value={draft.answer}
        autosize
        minRows={2}
        maxRows={10}
        dir="auto"
        onChange={(event) => set({ answer: event.currentTarget.value })}
      />
      <ChecksField
        workspace={workspace}
        target={target}
        checks={draft.checks}
        showsErrors={showsErrors}
        onChange={(checks) => set({ checks })}
      />
    </>
  )
}
