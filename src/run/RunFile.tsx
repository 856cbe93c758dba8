import { FileButton, Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { readRunFile, refusalOfSize, type RunFile as File_ } from '#contract/run-file.ts'
import type { Problem } from '#contract/problem.ts'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'
import classes from './RunFile.module.css'
import { RunFileView } from './RunFileView.tsx'

type State =
  | { phase: 'none' }
  | { phase: 'reading'; name: string }
  | { phase: 'refused'; problem: Problem }
  | { phase: 'open'; file: File_ }

/** Opens a run that any Loupe has exported, read-only. The file stays in this page. */
export function RunFile() {
  const t = useWords(runWords)
  const [state, setState] = useState<State>({ phase: 'none' })
  const [isOver, setOver] = useState(false)
  const open = async (file: File) => {
    const tooLarge = refusalOfSize(file.size)
    if (tooLarge) return setState({ phase: 'refused', problem: tooLarge })
    setState({ phase: 'reading', name: file.name })
    const read = readRunFile(await file.text())
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
      data-over={isOver || undefined}
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
          <ProblemNote problem={state.problem} what={t('openFileWhat')} />
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
