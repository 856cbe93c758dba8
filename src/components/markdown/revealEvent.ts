/** Sent by an element before it scrolls into view because a person chose it. */
export const REVEAL_EVENT = 'reveal'
