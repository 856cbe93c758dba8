import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Key } from '#contract/console.ts'
import { paths } from '../../paths.ts'
import { useWords } from '../../ui/words.ts'
import type { Turn } from '../turn.ts'
import classes from './Annotate.module.css'
import { AnnotationForm } from './AnnotationForm.tsx'
import { annotateWords } from './messages.ts'
import { Origin } from './Origin.tsx'
import { pairOf } from './pair.ts'

export interface AnnotateBoxProps {
  turn: Turn
  app: Key
  workspace: string
  onClose: () => void
}

/** The form of an annotation over the page of the answer that it is made from. */
export function AnnotateBox({ turn, app, workspace, onClose }: AnnotateBoxProps) {
  const t = useWords(annotateWords)
  const [initial] = useState(() => pairOf(turn))
  const [isSaved, setSaved] = useState(false)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={t('annotateTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {isSaved ? (
        <div className={classes.saved}>
          <p role="status">{t('saved')}</p>
          <Button component={Link} to={paths.annotations({ workspace, app: app.id })}>
            {t('open')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      ) : (
        <div className={classes.box}>
          <p className={classes.note}>{t('why')}</p>
          <Origin run_id={turn.run_id} workspace={workspace} />
          <AnnotationForm
            app={app.id}
            initial={initial}
            parent={turn.run_id}
            note={`from run ${turn.run_id}`}
            draft={`annotation.${turn.run_id}`}
            onSaved={() => setSaved(true)}
            onCancel={onClose}
          />
        </div>
      )}
    </Drawer>
  )
}
