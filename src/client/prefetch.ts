/** Prefetched reads by URL, sent before the app was loaded. */
const pendingReads = new Map<string, Promise<Response>>()

/** Sends a read that the app will need when it has loaded. */
export function prefetch(url: string): void {
  const reply = fetch(url)
  // The consumer reports a lost connection.
  reply.catch(() => undefined)
  pendingReads.set(url, reply)
}

/** The prefetched reply, for the first consumer. */
export function takePrefetched(url: string): Promise<Response> | undefined {
  const reply = pendingReads.get(url)
  pendingReads.delete(url)
  return reply
}

/** Unused replies are outdated by now. */
export function clearPrefetched(): void {
  pendingReads.clear()
}
