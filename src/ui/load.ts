/** Milliseconds before a part of the app that did not come is asked for again, if the network does not come back before. */
const PAUSE = 3_000

/**
 * Loads a part of the app, as often as it takes: a line that is lost at that moment takes no screen away. What stands in
 * its place stays until it is here.
 */
export async function load<Part>(part: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await part()
    } catch {
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
