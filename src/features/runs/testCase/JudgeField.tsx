import { NativeSelect } from '@mantine/core'
import type { Key } from '#contract/console/workspaces.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { testCaseMessages } from './messages.ts'

interface JudgeFieldProps {
  workspace: string
  label: string
  description: string | undefined
  error: string | undefined
  /** The id of its key. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The app of the workspace that judges. */
export function JudgeField({ workspace, value, onChange, ...field }: JudgeFieldProps) {
  const t = useMessages(testCaseMessages)
  const { workspaces } = useWorkspace()
  const apps = workspaces.find(({ id }) => id === workspace)?.keys.filter(isJudge) ?? []
  return (
    <NativeSelect
      {...field}
      value={value ?? ''}
      data={[
        { value: '', label: t('chooseJudge') },
        ...apps.map(({ id, label, kind }) => ({
          value: id,
          label: t('judgeOfKind', { label, kind: t(`kinds.${kind}`) }),
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  )
}

const isJudge = (key: Key): key is Key & { kind: 'chat' | 'completion' | 'workflow' } => key.kind !== 'knowledge'
