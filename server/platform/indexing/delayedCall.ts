/** Calls once at the earliest time that was asked for, `waitMs` from now. */
export function createDelayedCall(call: () => void): (waitMs: number) => void {
  let timer: { handle: NodeJS.Timeout; dueAt: number } | null = null
  return (waitMs) => {
    const dueAt = performance.now() + waitMs
    if (timer && timer.dueAt <= dueAt) return
    clearTimeout(timer?.handle)
    const handle = setTimeout(() => {
      timer = null
      call()
    }, waitMs)
    timer = { handle: handle.unref(), dueAt }
  }
}
