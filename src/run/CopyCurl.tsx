import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconTerminal2 } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { curlOf } from './curl.ts'
import { pathOf } from './entries.ts'
import type { Turn } from './turn.ts'

/** Copies the request as a command, with `$API_KEY` in place of the key. `base_url` is null where it is not known (any more). */
export function CopyCurl({ turn, base_url }: { turn: Turn; base_url: string | null }) {
  const t = useTranslations('run')
  const { body, response_mode } = turn.question
  const curl = curlOf({
    base_url: base_url ?? 'https://platform.invalid/v1',
    path: pathOf(turn.entry),
    body,
    streaming: response_mode === 'streaming',
  })
  return (
    <CopyButton value={curl} timeout={4000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={14} /> : <IconTerminal2 size={14} />}
          onClick={copy}
        >
          <span aria-live="polite">{copied ? t('curlCopied') : t('copyCurl')}</span>
        </Button>
      )}
    </CopyButton>
  )
}
