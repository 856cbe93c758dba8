/** Reads that went out before the app that shows them was here, by their URL. */
const pendingReads = new Map<string, Promise<Response>>()

/** Sends a read whose reply will be wanted as soon as the app is here. */
export function prefetch(url: string): void {
  const reply = fetch(url)
  // Whoever takes it says that the line is lost.
  reply.catch(() => undefined)
  pendingReads.set(url, reply)
}

/** The reply that is on its way already, for the first who wants it. */
export function takePrefetched(url: string): Promise<Response> | undefined {
  const reply = pendingReads.get(url)
  pendingReads.delete(url)
  return reply
}

/** What nobody has taken is of a moment that has passed. */
export function clearPrefetched(): void {
  pendingReads.clear()
}
