import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CALL_FORMATS, type CallFilters } from '#contract/calls.ts'
import { useWords } from '../../ui/words.ts'
import { ledgerWords } from './messages.ts'
import { May } from '../../wire/May.tsx'
import { EXPORT } from '#contract/roles.ts'

/** What is filtered, as a file that the server writes as it reads. */
export function ExportMenu({ query }: { query: CallFilters }) {
  const t = useWords(ledgerWords)
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return (
    <May entry={EXPORT}>
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
    </May>
  )
}
