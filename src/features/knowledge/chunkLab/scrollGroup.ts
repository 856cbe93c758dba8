/** Lists of the same text that scroll together: where one is, the others follow. */
export class ScrollGroup {
  readonly #followers = new Map<string, (textOffset: number) => void>()

  /** @returns the way out of the group. */
  join(name: string, follow: (textOffset: number) => void): () => void {
    this.#followers.set(name, follow)
    return () => void this.#followers.delete(name)
  }

  /** One list shows the text from here on. */
  lead(name: string, textOffset: number): void {
    for (const [other, follow] of this.#followers) if (other !== name) follow(textOffset)
  }
}
