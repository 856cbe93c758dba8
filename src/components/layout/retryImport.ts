/** Delay before a failed chunk is requested again (ms), unless the network returns earlier. */
const RETRY_DELAY_MS = 3_000

/** After this many attempts the chunk no longer exists: there is a new build, and the page must reload. */
const MAX_ATTEMPTS = 40

/**
 * Imports a chunk with retries, so that a lost connection does not break the screen. The fallback stays until the
 * chunk is loaded. @throws the last error, after two minutes.
 */
export async function retryImport<Part>(importModule: () => Promise<Part>): Promise<Part> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await importModule()
    } catch (error) {
      if (attempts === MAX_ATTEMPTS) throw error
      await waitForRetry()
      reloadFailedStyles()
    }
  }
}

function waitForRetry(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, RETRY_DELAY_MS)
    window.addEventListener('online', go)
  })
}

/** Neither the browser nor the import retries a failed style sheet. */
function reloadFailedStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode())
}
