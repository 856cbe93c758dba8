import { TextInput } from '@mantine/core'
import type { SuiteCase } from '#contract/console/suites.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { suiteMessages } from '../messages.ts'
import { caseMessages } from './caseMessages.ts'

/** The tags, separated by commas, and the split of a case. */
interface LabelDraft {
  tags: string
  split: string
}

interface CaseLabelFieldsProps {
  labels: LabelDraft
  onChange: (labels: LabelDraft) => void
}

const MAX_SPLIT_CHARS = 60

export function CaseLabelFields({ labels, onChange }: CaseLabelFieldsProps) {
  const t = useMessages(caseMessages)
  const tSuite = useMessages(suiteMessages)
  return (
    <div className={fields.row}>
      <TextInput
        label={t('caseFields.tags')}
        description={tSuite('tagsHelp')}
        value={labels.tags}
        autoComplete="off"
        onChange={(event) => onChange({ ...labels, tags: event.currentTarget.value })}
      />
      <TextInput
        label={t('caseFields.split')}
        description={t('splitHelp')}
        value={labels.split}
        maxLength={MAX_SPLIT_CHARS}
        autoComplete="off"
        onChange={(event) => onChange({ ...labels, split: event.currentTarget.value })}
      />
    </div>
  )
}

export const toLabelDraft = (of: SuiteCase | null): LabelDraft => ({
  tags: of?.tags.join(', ') ?? '',
  split: of?.split ?? '',
})

export const toLabels = ({ tags, split }: LabelDraft): Pick<SuiteCase, 'tags' | 'split'> => ({
  tags: [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
  split: split.trim() || null,
})
