import { Textarea } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { ChunkLab } from '../../lab/ChunkLab.tsx'
import { Page } from '../../ui/Page.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './LabPage.module.css'
import { labPageWords } from './messages.ts'

/** The chunk lab by itself: a text or a file, before there is a document. What is typed stays in the tab. */
export function LabPage() {
  const t = useWords(labPageWords)
  const [text, setText] = useSessionStorage({ key: 'loupe.lab.text', defaultValue: '' })
  return (
    <Page title={t('title')}>
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
