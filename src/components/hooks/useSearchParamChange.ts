import { useNavigate } from 'react-router'
import { useWhileMounted } from './useWhileMounted.ts'

/** Changes a copy of the current URL parameters in place. */
export type ChangeSearchParams = (change: (params: URLSearchParams) => void, options?: { replace?: boolean }) => void

/**
 * Changes the URL parameters of the page. Each change starts from the address bar: React renders navigations as
 * transitions, so the last render may lack a recent change. A change after the page was left is dropped, since it
 * would lead back.
 */
export function useSearchParamChange(): ChangeSearchParams {
  const navigate = useNavigate()
  const whileMounted = useWhileMounted()
  return whileMounted((change, options = {}) => {
    const params = new URLSearchParams(window.location.search)
    change(params)
    void navigate(`?${params.toString()}`, options)
  })
}
