import { useNavigate } from 'react-router'

/** Navigates to a path and closes the current dialog. */
export function useNavigateAndClose(onClose: () => void) {
  const navigate = useNavigate()
  return (path: string) => () => {
    onClose()
    void navigate(path)
  }
}
