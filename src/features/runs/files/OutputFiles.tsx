import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { Turn } from '../turn.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { AnswerFiles } from './AnswerFiles.tsx'
import { collectOutputFiles } from './collectOutputFiles.ts'
import classes from './OutputFiles.module.css'
import { useAnswerFileSource } from './useAnswerFileSource.ts'

/** The output files of a workflow. They are loaded through the server, which keeps them with the run if it is told to. */
export function OutputFiles({ turn, workspace }: { turn: Turn; workspace: string | null }) {
  const t = useMessages(timelineMessages)
  const { run } = turn.answer
  const files = collectOutputFiles(run.outputs, run.files)
  const fileSource = useAnswerFileSource(turn, workspace)
  if (files.length === 0) return null
  return (
    <div className={classes.files}>
      <AnswerFiles run_id={turn.run_id} files={files} label={t('files')} fileSource={fileSource} />
      <p>{t('filesExpire')}</p>
    </div>
  )
}
