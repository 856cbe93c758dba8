import { toCompatibilityForm } from '../compatibilityForm.ts'

/**
 * CJK radicals that look like ideographs and replace them in PDFs, and these ideographs, one for one (Unicode,
 * EquivalentUnifiedIdeograph). NFKC knows only those of the Kangxi block, and maps ⼾ to the form of Taiwan.
 */
export const CJK_RADICALS =
  '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺯⺰⺱⺲⺶⺹⺺⺼' +
  '⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳' +
  '⼾'
export const RADICAL_IDEOGRAPHS =
  '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄㣺扌攵旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻糹纟罓罒羊耂肀肉' +
  '臼艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟' +
  '户'

const IDEOGRAPH_BY_RADICAL = new Map(
  [...CJK_RADICALS].map((radical, index) => [radical, RADICAL_IDEOGRAPHS[index] ?? radical]),
)
const RADICAL_PATTERN = /[\u2E80-\u2EF3\u2F3E]/g

const foldRadicals = (text: string): string =>
  text.replace(RADICAL_PATTERN, (radical) => IDEOGRAPH_BY_RADICAL.get(radical) ?? radical)

/**
 * The text as searches compare it: full-width letters, ligatures, circled numbers and radicals as plain characters,
 * so that words that look the same are equal. Case is preserved.
 */
export const foldCompatibility = (text: string): string => toCompatibilityForm(foldRadicals(text))

/**
 * Characters that represent glyphs in a PDF instead of what was written: radicals, ligatures, compatibility
 * ideographs, Arabic presentation forms, full-width letters and digits, half-width katakana. Characters with their
 * own meaning stay: m², ½, ①, and the full-width punctuation of Chinese text.
 */
const GLYPH_CHARACTERS =
  /[\u2F00-\u2FD5\uF900-\uFAFF\uFB00-\uFB4F\uFB50-\uFDFB\uFE70-\uFEFC\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\uFF66-\uFF9F]+/g

/** The text of a PDF with the characters that a person would type. */
export const foldGlyphCharacters = (text: string): string =>
  foldRadicals(text).replace(GLYPH_CHARACTERS, (glyphs) => toCompatibilityForm(glyphs))
