interface Phrases {
  /** Heading of several quotes. */
  lead: string
  /** Retrieval found nothing. */
  nothing: string
  /** Passages were found, but no sentence in them answers. */
  unanswered: (nearest: string) => string
  nothingToSummarise: string
}

const ENGLISH: Phrases = {
  lead: 'The documents say:',
  nothing: 'I found nothing about this in the documents.',
  unanswered: (nearest) => `No sentence in the documents answers this. The nearest passage is ${nearest}.`,
  nothingToSummarise: 'There is nothing to summarise: the text holds no sentence.',
}

const CHINESE: Phrases = {
  lead: '文档中写道：',
  nothing: '在文档中没有找到相关内容。',
  unanswered: (nearest) => `文档中没有能回答这个问题的句子。最接近的段落是 ${nearest}。`,
  nothingToSummarise: '没有可以概括的内容：文本中没有句子。',
}

const JAPANESE: Phrases = {
  lead: '文書には次のように書かれています。',
  nothing: '文書の中に該当する内容は見つかりませんでした。',
  unanswered: (nearest) => `文書の中にこの質問に答える文はありません。最も近い箇所は ${nearest} です。`,
  nothingToSummarise: '要約できる内容がありません。テキストに文が含まれていません。',
}

/** Texts of the extractive answerer in the language of the question: Japanese, Chinese, else English. */
export function phrasesFor(text: string): Phrases {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return JAPANESE
  return /\p{Script=Han}/u.test(text) ? CHINESE : ENGLISH
}
