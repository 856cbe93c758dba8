import { useNavigate } from 'react-router'

/** Goes to a path and closes what one goes from. */
export function useNavigateAndClose(onClose: () => void) {
  const navigate = useNavigate()
  return (path: string) => () => {
    onClose()
    void navigate(path)
  }
}
