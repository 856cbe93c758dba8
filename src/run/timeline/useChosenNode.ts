import { useListState } from '../../ui/useListState.ts'

/** The line of the timeline that is selected, by its key: `?node=`. */
export function useChosenNode(): [string | null, (key: string | null) => void] {
  const { get, set } = useListState()
  return [get('node') ?? null, (key) => set({ node: key }, { replace: true })]
}
