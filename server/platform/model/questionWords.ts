import { extractAnswerTerms } from './answerTerms.ts'
import type { Language } from './language.ts'

/** Weight of a word that only says what is asked for, relative to another word. */
export const QUESTION_TERM_WEIGHT = 0.1

/**
 * Nouns and verbs that ask for a kind of answer and are rarely in the answering sentence, and interrogatives that are
 * not common words of the language.
 */
const QUESTION_WORDS: Partial<Record<Language, string>> = {
  en: 'name type kind sort term word year date number amount percentage percent call mean',
  de: 'name art typ jahr begriff anzahl zahl heißt hieß nennt genannt bedeutet wieviel wodurch wofür womit wovon woran worin wozu worauf woraus wonach wogegen worüber weshalb',
  fr: 'nom type sorte terme année date nombre pourcentage appelle signifie quoi quand pourquoi comment combien lequel laquelle lesquels lesquelles',
  es: 'nombre tipo clase término año fecha número cantidad porcentaje llama significa cuál cuáles quién quiénes cuándo dónde adónde cómo cuánto cuánta cuántos cuántas',
  it: 'nome tipo termine anno data numero percentuale chiama significa cosa quali quando',
  pt: 'nome tipo termo ano data número porcentagem chama significa onde aonde porquê quanto quanta quantos quantas',
  nl: 'naam soort betekent term jaar datum aantal percentage heet genoemd welke welk wanneer waar waarom hoeveel waardoor waarvoor waarmee waarvan waarin',
  sv: 'namn typ år datum antal heter kallas',
  da: 'navn type år dato antal hedder kaldes hvilket hvilke',
  nb: 'navn type år dato antall heter kalles hvilket mye',
  fi: 'nimi vuosi määrä mikä mitä mitkä kuka ketä kenen milloin missä mistä mihin miksi miten kuinka moni monta paljon',
  pl: 'nazwa imię rodzaj rok data liczba nazywa jaka kogo kim ilu',
  cs: 'název jméno druh rok datum počet jmenuje jaký jaká jaké koho odkud',
  tr: 'adı tür yıl tarih sayı kimin zaman nereden kaç',
  vi: 'tên loại năm ngày số nào ai đâu sao bao nhiêu mấy',
  el: 'όνομα είδος έτος αριθμός τι ποιος ποια ποιο πότε πού γιατί πώς πόσο πόσα πόσοι πόσες',
  ru: 'имя название тип вид термин год дата число количество процент называется называют значит означает какое какие каким какую каких каком каков кого кому кем откуда почему зачем сколько чей',
  uk: "назва ім'я тип вид термін рік дата число кількість називається яке які хто кого куди звідки чому скільки",
  ar: 'اسم نوع عام سنة تاريخ عدد لماذا',
  fa: 'نام نوع سال تاریخ تعداد چی کدام کی کجا چرا چگونه چند چطور',
  he: 'שם סוג שנה תאריך מספר כמה איזו',
  hi: 'नाम प्रकार वर्ष संख्या क्या किसने कब कहाँ कहां क्यों कैसे कितने कितनी',
  ko: '이름 종류 누가',
  zh: '意思 名字 名称 类型 年份 数量 什么 什么时候 时候 哪一 哪个 哪些 哪里 哪儿 怎么 怎样 如何 为什么 为何 多少 几个 何时 名稱 類型 數量 什麼 什麼時候 時候 哪個 哪裡 誰 怎麼 怎樣 為什麼 為何 幾 幾個 何時',
  ja: '意味 名前 種類 何 何年 何人 何時 誰',
  th: 'ชื่อ ชนิด ประเภท ปี จำนวน ใคร ไหน เมื่อไร เมื่อไหร่ เมื่อใด กี่ เท่าไร เท่าไหร่ ใด ทำไม อย่างไร',
}

/** Japanese words of Hiragana alone are mostly endings of verbs and particles. */
const HIRAGANA_WORD = /^[\p{Script=Hiragana}ー]+$/u

const termsByLanguage = new Map<Language, ReadonlySet<string>>()

/** Whether a term of a question only says how something is asked. */
export function isQuestionTerm(term: string, language: Language): boolean {
  let terms = termsByLanguage.get(language)
  if (!terms) {
    terms = new Set(extractAnswerTerms(QUESTION_WORDS[language] ?? '', language))
    termsByLanguage.set(language, terms)
  }
  return terms.has(term) || HIRAGANA_WORD.test(term)
}

const INTERROGATIVES = String.raw`(?:what|which|who|whom|whose|when|where|why|how|was|wer|wen|wem|wessen|welche[mnrs]?|wann|wo|warum|wieso|wie|qui|que|quoi|quelle?s?|quand|où|pourquoi|comment|combien|quién|quiénes|qué|cuándo|cuál|cuáles|dónde|cómo|chi|quale|quali|quando|dove|perché|come|что|кто|как|какой|какая|какое|какие|когда|где|почему|сколько)(?!\p{L})`
const UNSPACED_INTERROGATIVES = `什么|什麼|哪|谁|誰|怎|如何|为何|為何|多少|几|幾|何|どこ|いつ|どの|どう|なぜ|อะไร|ใคร|ไหน|เมื่อไ|อย่างไร|ทำไม`
const INTERROGATIVE = new RegExp(`(?<!\\p{L})${INTERROGATIVES}|${UNSPACED_INTERROGATIVES}`, 'iu')
/**
 * Separates questions that are asked together: the end of a sentence, a conjunction followed by an interrogative (or
 * by one more word first), or a Chinese or Japanese comma. After another comma an interrogative begins a relative
 * clause.
 */
const QUESTION_END = new RegExp(
  `[;?!；？！؟，、]|以及|还有|還有|\\s(?:and|or|und|oder|et|ou|y|o|e|и|или)\\s(?=(?:\\p{L}+\\s)?${INTERROGATIVES})`,
  'iu',
)

/** At most `maxParts` questions; the question itself if it is one. */
export function splitQuestion(question: string, maxParts: number): string[] {
  if (maxParts < 2) return [question]
  const parts = question.split(QUESTION_END).filter((part) => INTERROGATIVE.test(part))
  return parts.length > 1 ? parts.slice(0, maxParts) : [question]
}
