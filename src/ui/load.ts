/** Milliseconds before a part of the app that did not come is asked for again, if the network does not come back before. */
const PAUSE = 3_000

/** A part that has not come by then is gone: the app was built anew, and the page must be loaded again. */
const TRIES = 40

/**
 * Loads a part of the app, as often as it takes: a line that is lost at that moment takes no screen away. What stands in
 * its place stays until it is here. @throws what the last try did, after two minutes.
 */
export async function load<Part>(part: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; ; tries++) {
    try {
      return await part()
    } catch (error) {
      if (tries === TRIES) throw error
      await nextChance()
      renewStyles()
    }
  }
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, PAUSE)
    window.addEventListener('online', go)
  })
}

/** A style sheet that did not come is not asked for again by itself, nor by what loads the part. */
function renewStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode())
}
