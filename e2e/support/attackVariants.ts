import { HOSTILE_ANSWERS } from './hostileAnswers.ts'

/** How one attack is dressed so that a cleaner that looks for one form lets another pass; each keeps what it would run. */
const ATTACK_VARIANTS: ((attack: string) => string)[] = [
  (attack) => `> ${attack.replaceAll('\n', '\n> ')}`,
  (attack) => `- item\n\n  ${attack.replaceAll('\n', '\n  ')}`,
  (attack) => `| a | b |\n| --- | --- |\n| ${attack.replaceAll('\n', ' ').replaceAll('|', '\\|')} | c |`,
  (attack) => `**bold ${attack} _and_** after`,
  (attack) => `<div><p>${attack}</p></div>`,
  (attack) => attack.replace(/<(\w+)/g, (_, name: string) => `<${name.toUpperCase()}\t`),
]

/** Every attack as it is and in each disguise. */
export const ATTACKS: string[] = [...HOSTILE_ANSWERS, ...ATTACK_VARIANTS.flatMap((dress) => HOSTILE_ANSWERS.map(dress))]
