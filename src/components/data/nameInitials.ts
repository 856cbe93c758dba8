/** The initials of a name: of its first two words, or the first two characters of a single word. */
export function getInitials(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join('').toUpperCase()
}
