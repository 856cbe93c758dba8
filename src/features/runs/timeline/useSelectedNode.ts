import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'

/** The line of the timeline that is selected, by its key: `?node=`. */
export function useSelectedNode(): [string | null, (key: string | null) => void] {
  const { get, set } = useSearchParamState()
  return [get('node') ?? null, (key) => set({ node: key }, { replace: true })]
}
