/**
 * The keys of an input-method composition belong to the input method: no field sends, saves or closes with them.
 * Safari reports the Enter that ends a composition after its end, recognizable only by the key code of an input
 * method.
 * @returns a function that removes the listener
 */
export function ignoreCompositionKeys(page: Window): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === INPUT_METHOD_KEY_CODE) event.stopImmediatePropagation()
  }
  page.addEventListener('keydown', onKey, true)
  return () => page.removeEventListener('keydown', onKey, true)
}

const INPUT_METHOD_KEY_CODE = 229
