import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSearchParamChange } from '../../../components/hooks/useSearchParamChange.ts'

/** Browsers rate-limit history updates, which a held key would exceed. */
const URL_UPDATE_DELAY_MS = 250

const readFrameParam = (search: URLSearchParams): number | null => {
  const seq = Number(search.get('frame') ?? NaN)
  return Number.isInteger(seq) && seq > 0 ? seq : null
}

/** The selected frame: `?frame=41`, so that a link and a reload restore it. */
export function useSelectedFrame(): [number | null, (seq: number | null) => void] {
  const [search] = useSearchParams()
  const changeParams = useSearchParamChange()
  const [selectedFrame, selectFrame] = useState(() => readFrameParam(search))
  const write = useEffectEvent((seq: number | null) => {
    if (readFrameParam(new URLSearchParams(window.location.search)) === seq) return
    changeParams(
      (params) => {
        if (seq === null) params.delete('frame')
        else params.set('frame', String(seq))
      },
      { replace: true },
    )
  })
  useEffect(() => {
    const timer = setTimeout(() => write(selectedFrame), URL_UPDATE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [selectedFrame, search])
  useEffect(() => {
    const onPop = () => selectFrame(readFrameParam(new URLSearchParams(window.location.search)))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  return [selectedFrame, selectFrame]
}
