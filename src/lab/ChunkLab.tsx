import { Button } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileText } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { DocForm } from '#contract/cutting/plan.ts'
import type { Measured } from '#contract/estimate.ts'
import { useWords } from '../ui/words.ts'
import classes from './ChunkLab.module.css'
import { type Setting, usualSetting } from './cutting.ts'
import { MOST_BYTES, MOST_UNPACKED, READABLE } from './limits.ts'
import { LabColumn } from './LabColumn.tsx'
import { type Estimated, estimatedOf } from './estimated.ts'
import { labWords } from './messages.ts'
import type { Unread } from './read.ts'
import { ask } from './thread.ts'
import { type Rule, ruleOf, settingOf, settingOfRule, typedOf } from './typed.ts'

export interface ChunkLabProps {
  /** The text that would be sent; a file that is dropped here takes its place. */
  text: string
  /** A file that would be sent: it is read here as the platform would read it. */
  file?: File | null
  /** The rule of the form around the lab. Without one the lab has fields of its own. */
  rule?: { process_rule: Rule; doc_form: DocForm }
  /** Takes a setting over into the form around the lab. */
  onUse?: (rule: { process_rule: Rule; doc_form: DocForm }) => void
  /** Hears what the first setting makes of the text or the file, each time that it is cut. */
  onEstimate?: ((estimated: Estimated) => void) | undefined
  /** What the platform made of it, once it is indexed. */
  measured?: Measured | undefined
}

/** How a text would be cut, worked out in this browser: boundaries, sizes, warnings, and another setting beside it. */
export function ChunkLab({ text, file = null, rule, onUse, onEstimate, measured }: ChunkLabProps) {
  const t = useWords(labWords)
  const [dropped, setDropped] = useState<File | null>(null)
  const [own, setOwn] = useState(typedOf(usualSetting))
  const [other, setOther] = useState<typeof own | null>(null)
  const source = dropped ?? file
  const read = useFileText(source)
  const shown = source ? read.text : text
  const first: Setting = rule ? settingOfRule(rule.process_rule, rule.doc_form) : settingOf(own)
  // The worker and its vocabulary come while one still types.
  useEffect(() => ask({ kind: 'count', text: '' }, () => undefined), [])
  const use = onUse && ((setting: Setting) => onUse({ process_rule: ruleOf(setting), doc_form: setting.doc_form }))

  return (
    <section className={classes.lab} aria-label={t('title')}>
      <header className={classes.head}>
        <p>{t('estimate')}</p>
        {other ? null : (
          <Button variant="default" onClick={() => setOther(typedOf(first))}>
            {t('compare')}
          </Button>
        )}
      </header>
      <div className={classes.source}>
        <Dropzone
          onDrop={(files: File[]) => setDropped(files[0] ?? null)}
          multiple={false}
          className={classes.drop}
          inputProps={{ 'aria-label': t('dropHere') }}
        >
          <span>
            <b>{t('dropHere')}</b> {t('dropKinds', { kinds: READABLE.join(' '), most: MOST_BYTES / 1024 / 1024 })}
          </span>
        </Dropzone>
        {source ? (
          <span className={classes.file} role="status">
            <IconFileText size={14} aria-hidden="true" />
            {t(read.isReading ? 'reading' : read.text === '' ? 'notRead' : 'readFrom', { name: source.name })}
            {dropped ? (
              <Button variant="subtle" color="gray" onClick={() => setDropped(null)}>
                {t('useText')}
              </Button>
            ) : null}
          </span>
        ) : null}
        {read.problem ? (
          <p className={classes.problem} role="alert">
            {read.problem}
          </p>
        ) : null}
        {read.unread ? (
          <p className={classes.problem} role="alert">
            {t(`unread.${read.unread}`, {
              kinds: READABLE.join(' '),
              most: (read.unread === 'unpacked' ? MOST_UNPACKED : MOST_BYTES) / 1024 / 1024,
            })}
          </p>
        ) : null}
      </div>
      {shown === '' ? (
        <p className={classes.none}>
          <b>{t('noText')}</b> {t('noTextWhy')}
        </p>
      ) : null}
      <div className={classes.columns} data-two={other !== null || undefined}>
        <LabColumn
          name={t('first')}
          text={shown}
          setting={first}
          typed={rule ? null : own}
          onTyped={setOwn}
          onUse={rule ? undefined : use}
          onCut={(cut) => {
            const estimated = estimatedOf(cut, source)
            if (estimated) onEstimate?.(estimated)
          }}
          measured={measured}
        />
        {other ? (
          <LabColumn
            name={t('second')}
            text={shown}
            setting={settingOf(other)}
            typed={other}
            onTyped={setOther}
            onUse={use}
            onClose={() => setOther(null)}
          />
        ) : null}
      </div>
    </section>
  )
}

const unread = { text: '', isReading: false, problem: null as string | null, unread: null as Unread | null }

/** The text of a file, read in the worker. */
function useFileText(file: File | null) {
  const [read, setRead] = useState({ file, ...unread })
  if (read.file !== file) setRead({ file, ...unread, isReading: file !== null })
  useEffect(() => {
    if (!file) return
    return ask({ kind: 'read', file }, (told) => {
      if (told.kind === 'read') setRead({ file, ...unread, text: told.text })
      if (told.kind === 'unread') setRead({ file, ...unread, unread: told.why })
      if (told.kind === 'failed') setRead({ file, ...unread, problem: told.reason })
    })
  }, [file])
  return read
}
