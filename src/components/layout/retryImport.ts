/** Milliseconds before a part of the app that did not come is asked for again, if the network does not come back before. */
const RETRY_DELAY_MS = 3_000

/** A part that has not come by then is gone: the app was built anew, and the page must be loaded again. */
const MAX_ATTEMPTS = 40

/**
 * Loads a part of the app, as often as it takes: a line that is lost at that moment takes no screen away. What stands in
 * its place stays until it is here. @throws what the last try did, after two minutes.
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

/** A style sheet that did not come is not asked for again by itself, nor by what loads the part. */
function reloadFailedStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode())
}
