import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { CallQuery } from '#contract/console/callQuery.ts'
import { CALL_FORMATS } from '#contract/console/calls.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { ledgerMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'

/** What is filtered, as a file that the server writes as it reads. */
export function LedgerExportMenu({ query }: { query: CallQuery }) {
  const t = useMessages(ledgerMessages)
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return (
    <Can entry={EXPORT_PERMISSION}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={14} />}>
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('exportText')}</Menu.Label>
          {CALL_FORMATS.map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={`/api/calls/export?${new URLSearchParams([...given, ['format', format]]).toString()}`}
              download
            >
              {t(format)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Can>
  )
}
