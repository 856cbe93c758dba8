import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { driftMessages } from './messages.ts'

export interface CopyReportProps {
  count: number
  markdown: () => string
  json: () => string
}

/** What is listed, for a bug report. The texts are made when they are asked for. */
export function CopyReport({ count, markdown, json }: CopyReportProps) {
  const t = useMessages(driftMessages)
  const { copy, copied } = useClipboard({ timeout: 2_000 })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}>
          <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('copyText', { count })}</Menu.Label>
        <Menu.Item onClick={() => copy(markdown())}>{t('markdown')}</Menu.Item>
        <Menu.Item onClick={() => copy(json())}>{t('json')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
