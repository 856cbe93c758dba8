import { Textarea } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { ChunkLab } from './ChunkLab.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './ChunkLabPage.module.css'
import { chunkLabPageMessages } from './chunkLabPageMessages.ts'

/** The chunk lab by itself: a text or a file, before there is a document. What is typed stays in the tab. */
export function ChunkLabPage() {
  const t = useMessages(chunkLabPageMessages)
  const [text, setText] = useSessionStorage({ key: 'loupe.lab.text', defaultValue: '' })
  return (
    <Page title={t('chunkLab')}>
      <div className={classes.page}>
        <Textarea
          label={t('text')}
          value={text}
          rows={6}
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ChunkLab text={text} />
      </div>
    </Page>
  )
}
