import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconTerminal2 } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { RawJson } from '../ui/RawJson.tsx'
import { curlOf } from './curl.ts'
import { pathOf } from './entries.ts'
import classes from './Inspector.module.css'
import type { Turn } from './turn.ts'

/** The request as it was sent. `base_url` is the platform's, null where it is not known (any more). */
export function RequestTab({ turn, base_url }: { turn: Turn; base_url: string | null }) {
  const t = useTranslations('run')
  const { body, response_mode } = turn.question
  const path = pathOf(turn.entry)
  const curl = curlOf({
    base_url: base_url ?? 'https://platform.invalid/v1',
    path,
    body,
    streaming: response_mode === 'streaming',
  })
  return (
    <>
      <div className={classes.request}>
        <code>
          POST <span>{base_url}</span>
          {path}
        </code>
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
      </div>
      <p className={classes.about}>{t('asSent')}</p>
      <RawJson value={body} label={t('request')} />
    </>
  )
}
