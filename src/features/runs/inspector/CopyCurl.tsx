import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconTerminal2 } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import type { Turn } from '../turn.ts'
import { getRunPath } from '../runEntries.ts'

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

/** Quotes a text for a POSIX shell: nothing in it is expanded or executed. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

interface CurlRequest {
  base_url: string
  /** Default: POST. */
  method?: string
  path: string
  /** Undefined without a body, or if it is not stored: a file. */
  body: unknown
  streaming: boolean
  /** The body was a form with a file, which becomes `@FILE` in the command. */
  file?: boolean
}

/** The request as a shell command. It reads the key from `$API_KEY`. */
export function toCurlCommand({ base_url, method = 'POST', path, body, streaming, file = false }: CurlRequest): string {
  const hasBody = body !== undefined && body !== null
  return [
    `curl${streaming ? ' -N' : ''} -X ${method} --url ${quoteForShell(`${base_url.replace(/\/+$/, '')}${path}`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(file ? [`-F 'file=@FILE'`] : []),
    ...(file || !hasBody
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoteForShell(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

/** The request that started a run. */
export const toCurlRequest = ({
  entry,
  question: { body, response_mode, pinned_workflow_id },
}: Turn): Omit<CurlRequest, 'base_url'> => ({
  path: getRunPath(entry, pinned_workflow_id),
  body,
  streaming: response_mode === 'streaming',
})
