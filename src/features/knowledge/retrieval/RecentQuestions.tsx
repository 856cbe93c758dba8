import { useState } from 'react'
import { Button, Menu } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { callEndpoints } from '#contract/console/calls.ts'
import { useRead } from '../../../client/query.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { retrievalMessages } from './messages.ts'

const MAX_QUESTIONS = 15
/** Calls that are looked through: a suite asks the same questions again and again. */
const MAX_CALLS = 60

/** The questions that were asked of this dataset through the console, by any person, newest first. */
export function RecentQuestions({
  dataset_id,
  workspace,
  onChoose,
}: {
  dataset_id: string
  workspace: string
  onChoose: (question: string) => void
}) {
  const t = useMessages(retrievalMessages)
  const [isOpen, setOpen] = useState(false)
  const { data, isPending } = useRead(
    callEndpoints.listCalls,
    { query: { workspace, entry: 'adjacent.retrieve', resource: dataset_id, limit: MAX_CALLS } },
    { enabled: isOpen },
  )
  const questions = [...new Set((data?.data ?? []).map(({ title }) => title))].filter((title) => !title.startsWith('/'))
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconHistory size={14} />}>
          {t('recent')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {questions.slice(0, MAX_QUESTIONS).map((question) => (
          <Menu.Item key={question} onClick={() => onChoose(question)}>
            {question.slice(0, 90)}
          </Menu.Item>
        ))}
        {questions.length === 0 ? <Menu.Label>{isPending ? t('loading') : t('noRecent')}</Menu.Label> : null}
      </Menu.Dropdown>
    </Menu>
  )
}
