import { useState } from 'react'
import { type ChunkSettingDraft, toSettingDraft } from './chunkSettingDraft.ts'
import { defaultChunkSetting } from './worker/labChunking.ts'

export interface LabSettings {
  first: ChunkSettingDraft
  /** Null while one setting is shown. */
  second: ChunkSettingDraft | null
}

export const defaultLabSettings: LabSettings = { first: toSettingDraft(defaultChunkSetting), second: null }

/** The settings of a lab: kept by the page around it, or else in the lab. */
export function useLabSettings(
  settings: LabSettings | undefined,
  onSettings: ((next: LabSettings) => void) | undefined,
) {
  const [own, setOwn] = useState(defaultLabSettings)
  const current = settings ?? own
  const set = onSettings ?? setOwn
  return {
    ...current,
    setFirst: (first: ChunkSettingDraft) => set({ ...current, first }),
    setSecond: (second: ChunkSettingDraft | null) => set({ ...current, second }),
  }
}
