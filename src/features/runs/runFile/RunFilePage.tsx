import { FileButton, Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { parseRunFile, checkRunFileSize, type RunFile as File_ } from '#domain/runFile/runFile.ts'
import type { Problem } from '#contract/problem.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './RunFilePage.module.css'
import { RunFileView } from './RunFileView.tsx'

type RunFilePageState =
  | { phase: 'none' }
  | { phase: 'reading'; name: string }
  | { phase: 'refused'; problem: Problem }
  | { phase: 'open'; file: File_ }

/** Opens an exported run of any Loupe server, read-only. The file stays in the browser. */
export function RunFilePage() {
  const t = useMessages(runMessages)
  const [state, setState] = useState<RunFilePageState>({ phase: 'none' })
  const [isDraggedOver, setOver] = useState(false)
  const open = async (file: File) => {
    const tooLarge = checkRunFileSize(file.size)
    if (tooLarge) return setState({ phase: 'refused', problem: tooLarge })
    setState({ phase: 'reading', name: file.name })
    const read = parseRunFile(await file.text())
    setState(read.file ? { phase: 'open', file: read.file } : { phase: 'refused', problem: read.problem })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) void open(file)
  }
  if (state.phase === 'open')
    return <RunFileView key={state.file.run.id} file={state.file} onAnother={() => setState({ phase: 'none' })} />
  return (
    <div
      className={classes.open}
      data-over={isDraggedOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <h1>{t('openFile')}</h1>
      <p>{t('openFileText')}</p>
      {state.phase === 'refused' ? (
        <div className={classes.refused}>
          <ProblemAlert problem={state.problem} action={t('openFileWhat')} />
        </div>
      ) : null}
      {state.phase === 'reading' ? <p role="status">{t('readingFile', { name: state.name })}</p> : null}
      <p>
        <FileButton accept="application/json,.json" onChange={(file) => (file ? void open(file) : undefined)}>
          {(button) => (
            <Button {...button} leftSection={<IconFileImport size={15} />}>
              {t('chooseFile')}
            </Button>
          )}
        </FileButton>{' '}
        {t('dropFile')}
      </p>
    </div>
  )
}
