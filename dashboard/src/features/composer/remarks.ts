import { menuLimits } from '../../api/limits.js'
import type { ComposerWords } from '../../words/composer/en.js'
import { type Draft, isMenu } from './draft.js'

/** Returns what clients may not draw of a draft, as sentences. The gateway answers the same as warnings. */
export function listRemarks(draft: Draft, words: ComposerWords): readonly string[] {
  const { kind } = draft
  if (!isMenu(kind) || kind === 'poll') return []
  const remarks = [words.mayNotDraw]
  const above = kind === 'list' ? menuLimits.listBody : menuLimits.buttonBody
  if (draft.text.length > above) remarks.push(words.cutAfter(above))
  if (kind === 'button') {
    const replies = draft.buttons.filter(({ does }) => does === 'reply').length
    if (replies > menuLimits.replyButtonsShown) remarks.push(words.someShow(menuLimits.replyButtonsShown))
    if (replies > 0 && replies < draft.buttons.length) remarks.push(words.mixedButtons)
  }
  if (kind === 'list' && draft.sections.flatMap(({ rows }) => rows).length > menuLimits.rowsShown)
    remarks.push(words.someShow(menuLimits.rowsShown))
  if (kind === 'carousel') {
    if (draft.cards.length === 1) remarks.push(words.oneCard)
    if (draft.cards.some(({ file }) => file === null)) remarks.push(words.cardWithoutPicture)
  }
  return remarks
}
