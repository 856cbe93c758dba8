import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconTerminal2 } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { type CurlRequest, toCurlCommand } from './curlCommand.ts'
import { runMessages } from '../detail/messages.ts'

/** Copies a request as a curl command, with `$API_KEY` instead of the key. `base_url` is null if unknown. */
export function CopyCurl({ base_url, ...request }: Omit<CurlRequest, 'base_url'> & { base_url: string | null }) {
  const t = useMessages(runMessages)
  return (
    <CopyButton
      value={toCurlCommand({ ...request, base_url: base_url ?? 'https://platform.invalid/v1' })}
      timeout={4000}
    >
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
