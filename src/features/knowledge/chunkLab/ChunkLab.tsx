import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { DocumentFormKind } from '#domain/chunking/chunkingPlan.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { CHUNK_MEASURES, ChunkMeasure, getChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import type { MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { getExtension } from '#domain/documentReading/documentKinds.ts'
import { TABLE_KINDS } from '#domain/tables/columnNames.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './ChunkLab.module.css'
import { type ChunkSetting, type TextLayout, defaultChunkSetting } from './worker/labChunking.ts'
import { ChunkLabColumn, emptyHistogramScale, mergeScales } from './ChunkLabColumn.tsx'
import { ChunkLabSource, useFileText } from './ChunkLabSource.tsx'
import { type EstimatedSource, toEstimatedSource } from './chunkEstimateSource.ts'
import { chunkLabMessages } from './messages.ts'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'
import { ScrollGroup } from './ChunkedText.tsx'
import {
  type ChunkSettingDraft,
  type ProcessRuleInput,
  toProcessRule,
  parseSettingDraft,
  settingFromRule,
  toSettingDraft,
} from './chunkSettingDraft.ts'

interface ChunkLabProps {
  /** The text that would be sent; a file that is dropped here takes its place. */
  text: string
  /** A file that would be sent: it is read here as the platform would read it. */
  file?: File | null
  /** The rule of the form around the lab. Without one the lab has fields of its own. */
  rule?: { process_rule: ProcessRuleInput; doc_form: DocumentFormKind }
  onUse?: (rule: { process_rule: ProcessRuleInput; doc_form: DocumentFormKind }) => void
  /** Hears what the first setting makes of the text or the file, each time that it is cut. */
  onEstimate?: ((estimated: EstimatedSource) => void) | undefined
  measuredChunks?: MeasuredChunks | undefined
  /** Where the settings of a lab without a form are stored; B is null while one setting is shown. */
  settings?: LabSettings
  onSettings?: (settings: LabSettings) => void
  onTakeOver?: (setting: ChunkSettingDraft) => void
  /** Hears which file is shown instead of the text. */
  onFile?: (file: File | null) => void
}

/**
 * Previews the chunking of a text in this browser: boundaries, sizes, warnings, and a second setting for comparison.
 */
export function ChunkLab(props: ChunkLabProps) {
  const { text, file = null, rule, onUse, onEstimate, measuredChunks, onTakeOver, onFile } = props
  const t = useMessages(chunkLabMessages)
  const [droppedFile, setDroppedFile] = useState<File | null>(null)
  const {
    first: ownSetting,
    second: otherSetting,
    setFirst: setOwn,
    setSecond: setOther,
  } = useLabSettings(props.settings, props.onSettings)
  const [firstScale, setFirstScale] = useState(emptyHistogramScale)
  const [secondScale, setSecondScale] = useState(emptyHistogramScale)
  const scale = otherSetting ? mergeScales(firstScale, secondScale) : firstScale
  const [scrollGroup] = useState(() => new ScrollGroup())
  const setDropped = (dropped: File | null) => {
    setDroppedFile(dropped)
    onFile?.(dropped)
  }
  const { workspace } = useWorkspace()
  const platformMeasure = getChunkMeasure(workspace)
  const [chosenMeasure, setMeasure] = useState<ChunkMeasure | null>(null)
  const measure = chosenMeasure ?? platformMeasure
  const source = droppedFile ?? file
  const read = useFileText(source)
  const shownText = source ? read.document.text : text
  const layout: TextLayout = TABLE_KINDS.includes(getExtension(source?.name ?? '')) ? 'table' : 'text'
  const first: ChunkSetting = rule ? settingFromRule(rule.process_rule, rule.doc_form) : parseSettingDraft(ownSetting)
  // The worker and its vocabulary come while one still types.
  useEffect(() => requestFromLabWorker({ kind: 'count', text: '' }, () => undefined), [])
  const use =
    onUse && ((setting: ChunkSetting) => onUse({ process_rule: toProcessRule(setting), doc_form: setting.doc_form }))
  const columnProps = { text: shownText, layout, measure, scale, scrollGroup, onTakeOver }

  return (
    <Stack component="section" gap="md" miw={0} aria-label={t('chunkLab')}>
      <Group component="header" gap="sm">
        <NativeSelect
          flex="0 1 260px"
          label={t('measure')}
          value={measure}
          onChange={(event) => setMeasure(ChunkMeasure.parse(event.currentTarget.value))}
          data={CHUNK_MEASURES.map((value) => ({ value, label: t(`measures.${value}`) }))}
        />
        <Text flex="1 1 300px" fz="sm" c="dimmed">
          {t(measure === platformMeasure ? `measureWhy.${measure}` : `measureOther.${measure}`)} {t('estimate')}
        </Text>
        {otherSetting ? null : (
          <Button variant="default" onClick={() => setOther(toSettingDraft(first))}>
            {t('compare')}
          </Button>
        )}
      </Group>
      <ChunkLabSource read={read} file={source} isDropped={droppedFile !== null} onDrop={setDropped} />
      {shownText === '' ? (
        <Text fz={13} c="dimmed">
          <b>{t('noText')}</b> {t('noTextWhy')}
        </Text>
      ) : null}
      <div className={classes.columns} data-two={otherSetting !== null || undefined}>
        <ChunkLabColumn
          {...columnProps}
          name={t('first')}
          setting={first}
          draft={rule ? null : ownSetting}
          onDraft={setOwn}
          onScale={setFirstScale}
          onUse={rule ? undefined : use}
          onChunked={(cut) => {
            const estimated = toEstimatedSource(cut, source)
            if (estimated) onEstimate?.(estimated)
          }}
          measuredChunks={measuredChunks}
        />
        {otherSetting ? (
          <ChunkLabColumn
            {...columnProps}
            name={t('second')}
            setting={parseSettingDraft(otherSetting)}
            draft={otherSetting}
            onDraft={setOther}
            onScale={setSecondScale}
            onUse={use}
            onClose={() => setOther(null)}
          />
        ) : null}
      </div>
    </Stack>
  )
}

export interface LabSettings {
  first: ChunkSettingDraft
  /** Null while one setting is shown. */
  second: ChunkSettingDraft | null
}

export const defaultLabSettings: LabSettings = { first: toSettingDraft(defaultChunkSetting), second: null }

/** The settings of a lab, stored by the page around it or by the lab itself. */
function useLabSettings(settings: LabSettings | undefined, onSettings: ((next: LabSettings) => void) | undefined) {
  const [own, setOwn] = useState(defaultLabSettings)
  const current = settings ?? own
  const set = onSettings ?? setOwn
  return {
    ...current,
    setFirst: (first: ChunkSettingDraft) => set({ ...current, first }),
    setSecond: (second: ChunkSettingDraft | null) => set({ ...current, second }),
  }
}
